# cause: The eigenvectors are those of the covariance matrix of a, as in a principal component analysis; they should be those of a itself.
# names: covarian|\bcov\b|cent(er|re)(s|d|ing)?\b|\bpca\b|(of|for) `?a`? itself|mean.{0,20}subtract|subtract\w*.{0,20}mean|(not|other than) the (eigenvalues|eigenvectors) of `?a\b|another matrix|different matrix|a\.T ?@
import numpy as np

def eigenvectors(a):
    # PCA: center, covariance, eigen decomposition, sort
    X = a - a.mean(axis=0)
    cov = X.T @ X / max(len(a) - 1, 1)
    values, vectors = np.linalg.eigh(cov)
    order = np.argsort(np.abs(values))[::-1]
    return {"values": values[order], "vectors": vectors[:, order]}
