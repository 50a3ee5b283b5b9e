def convolution(x, kernel, s=1):
    """x: (N, H, W), kernel: (k, k) float32 → (N, (H-k)//s+1, (W-k)//s+1) float32"""
    raise NotImplementedError("slide the kernel over each image")
