// Made by make.py beside it.
export default {
"version": "2.13.0+cpu",
"modules": {
"torch": {
"abs": [
"function",
"(input: Tensor, *, out: Optional[Tensor])",
"Computes the absolute value of each element in input"
],
"add": [
"function",
"(input, other, *, alpha=1, out=None)",
"Adds other, scaled by alpha, to input"
],
"all": [
"function",
"(input: Tensor, *, out=None)",
"Tests if all elements in input evaluate to True"
],
"allclose": [
"function",
"(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False)",
"This function checks if input and other satisfy the condition"
],
"amax": [
"function",
"(input, dim=None, keepdim=False, *, out=None)",
"Returns the maximum value of each slice of the input tensor in the given dimension(s) dim"
],
"amin": [
"function",
"(input, dim=None, keepdim=False, *, out=None)",
"Returns the minimum value of each slice of the input tensor in the given dimension(s) dim"
],
"any": [
"function",
"(input: Tensor, *, out: Optional[Tensor])",
"Tests if any element in input evaluates to True"
],
"arange": [
"function",
"(start=0, end, step=1, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Returns a 1-D tensor"
],
"argmax": [
"function",
"(input)",
"Returns the indices of the maximum value of all elements in the input tensor"
],
"argmin": [
"function",
"(input, dim=None, keepdim=False)",
"Returns the indices of the minimum value(s) of the flattened tensor or along a dimension"
],
"argsort": [
"function",
"(input, dim=-1, descending=False, *, stable=False)",
"Returns the indices that sort a tensor along a given dimension in ascending order by value"
],
"as_tensor": [
"function",
"(data: Any, *, dtype: Optional[dtype] = None, device: Optional[DeviceLikeType])",
"Converts data into a tensor, sharing data and preserving autograd history if possible"
],
"autograd": [
"namespace",
"",
""
],
"baddbmm": [
"function",
"(input, batch1, batch2, *, beta=1, alpha=1, out=None)",
"Performs a batch matrix-matrix product of matrices in batch1 and batch2. input is added to the final result"
],
"bernoulli": [
"function",
"(input: Tensor, *, generator: Optional[Generator], out: Optional[Tensor])",
"Draws binary random numbers (0 or 1) from a Bernoulli distribution"
],
"bfloat16": [
"constant",
"",
""
],
"bincount": [
"function",
"(input, weights=None, minlength=0)",
"Count the frequency of each value in an array of non-negative ints"
],
"bmm": [
"function",
"(input, mat2, *, out=None)",
"Performs a batch matrix-matrix product of matrices stored in input and mat2."
],
"bool": [
"constant",
"",
""
],
"broadcast_tensors": [
"function",
"(*tensors)",
"Broadcasts the given tensors according to broadcasting-semantics"
],
"broadcast_to": [
"function",
"(input, shape)",
"Broadcasts input to the shape"
],
"bucketize": [
"function",
"(input, boundaries, *, out_int32=False, right=False, out=None)",
"Returns the indices of the buckets to which each value in the input belongs, where the boundaries of the …"
],
"cat": [
"function",
"(tensors, dim=0, *, out=None)",
"Concatenates the given sequence of tensors in tensors in the given dimension"
],
"cdist": [
"function",
"(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')",
"Computes batched the p-norm distance between each pair of the two collections of row vectors"
],
"ceil": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the ceil of the elements of input, the smallest integer greater than or equal to …"
],
"chunk": [
"function",
"(input: Tensor, chunks: int, dim: int = 0)",
"Attempts to split a tensor into the specified number of chunks"
],
"clamp": [
"function",
"(input, min=None, max=None, *, out=None)",
"Clamps all elements in input into the range [ min, max ]"
],
"clip": [
"function",
"(input, min=None, max=None, *, out=None)",
"Clamps all elements in input into the range [ min, max ]"
],
"clone": [
"function",
"(input, *, memory_format=torch.preserve_format)",
"Returns a copy of input"
],
"complex64": [
"constant",
"",
""
],
"concat": [
"function",
"(tensors, dim=0, *, out=None)",
"Concatenates the given sequence of tensors in tensors in the given dimension"
],
"cos": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the cosine of the elements of input given in radians"
],
"cosh": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the hyperbolic cosine of the elements of input"
],
"cross": [
"function",
"(input, other, dim=None, *, out=None)",
"Returns the cross product of vectors in dimension dim of input and other"
],
"cummax": [
"function",
"(input, dim, *, out=None)",
"cummax(input, dim, *, out=None) -> (Tensor, LongTensor) Returns a namedtuple (values, indices) where values …"
],
"cumprod": [
"function",
"(input, dim, *, dtype=None, out=None)",
"Returns the cumulative product of elements of input in the dimension dim"
],
"cumsum": [
"function",
"(input, dim, *, dtype=None, out=None)",
"Returns the cumulative sum of elements of input in the dimension dim"
],
"deg2rad": [
"function",
"(input, *, out=None)",
"Returns a new tensor with each of the elements of input converted from angles in degrees to radians"
],
"diag": [
"function",
"(input, diagonal=0, *, out=None)",
"- If input is a vector (1-D tensor), then returns a 2-D square tensor with the elements of input as the …"
],
"diag_embed": [
"function",
"(input, offset=0, dim1=-2, dim2=-1)",
"Creates a tensor whose diagonals of certain 2D planes (specified by dim1 and dim2) are filled by input"
],
"diagonal": [
"function",
"(input, offset=0, dim1=0, dim2=1)",
"Returns a partial view of input with the its diagonal elements with respect to dim1 and dim2 appended as a …"
],
"diff": [
"function",
"(input, n=1, dim=-1, prepend=None, append=None)",
"Computes the n-th forward difference along the given dimension"
],
"div": [
"function",
"(input, other, *, rounding_mode=None, out=None)",
"Divides each element of the input input by the corresponding element of other"
],
"dot": [
"function",
"(input, tensor, *, out=None)",
"Computes the dot product of two 1D tensors"
],
"einsum": [
"function",
"(equation, *operands)",
"Sums the product of the elements of the input operands along dimensions specified using a notation based on …"
],
"empty": [
"function",
"(*size, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False, pin_memory=False, memory_format=torch.contiguous_format)",
"Returns a tensor filled with uninitialized data"
],
"empty_like": [
"function",
"(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=torch.preserve_format)",
"Returns an uninitialized tensor with the same size as input"
],
"eq": [
"function",
"(input, other, *, out=None)",
"Computes element-wise equality"
],
"equal": [
"function",
"(input, other)",
"True if two tensors have the same size and elements, False otherwise"
],
"erf": [
"function",
"(input, *, out=None)",
"Computes the error function of input"
],
"exp": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the exponential of the elements of the input tensor input"
],
"expm1": [
"function",
"(input, *, out=None)",
"Computes the exponential of the elements minus 1 of input"
],
"eye": [
"function",
"(n, m=None, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Returns a 2-D tensor with ones on the diagonal and zeros elsewhere"
],
"finfo": [
"class",
"",
""
],
"flatten": [
"function",
"(input, start_dim=0, end_dim=-1)",
"Flattens input by reshaping it into a one-dimensional tensor"
],
"flip": [
"function",
"(input, dims)",
"Reverse the order of an n-D tensor along given axis in dims"
],
"float16": [
"constant",
"",
""
],
"float32": [
"constant",
"",
""
],
"float64": [
"constant",
"",
""
],
"floor": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the floor of the elements of input, the largest integer less than or equal to each …"
],
"floor_divide": [
"function",
"(input, other, *, out=None)",
"Before PyTorch 1.13 torch.floor_divide incorrectly performed truncation division"
],
"from_numpy": [
"function",
"(ndarray)",
"Creates a Tensor from a numpy.ndarray"
],
"full": [
"function",
"(size, fill_value, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Creates a tensor of size size filled with fill_value"
],
"full_like": [
"function",
"(input, fill_value, \\*, dtype=None, layout=torch.strided, device=None, requires_grad=False, memory_format=torch.preserve_format)",
"Returns a tensor with the same size as input filled with fill_value"
],
"gather": [
"function",
"(input, dim, index, *, sparse_grad=False, out=None)",
"Gathers values along an axis specified by dim"
],
"ge": [
"function",
"(input, other, *, out=None)",
"Computes"
],
"Generator": [
"class",
"",
""
],
"get_default_dtype": [
"function",
"()",
"Get the current default floating point torch.dtype"
],
"gt": [
"function",
"(input, other, *, out=None)",
"Computes"
],
"hstack": [
"function",
"(tensors, *, out=None)",
"Stack tensors in sequence horizontally (column wise)"
],
"iinfo": [
"class",
"",
""
],
"index_select": [
"function",
"(input, dim, index, *, out=None)",
"Returns a new tensor which indexes the input tensor along dimension dim using the entries in index"
],
"inf": [
"constant",
"",
"inf"
],
"inference_mode": [
"class",
"(mode=True)",
"Context manager that enables or disables inference mode"
],
"int16": [
"constant",
"",
""
],
"int32": [
"constant",
"",
""
],
"int64": [
"constant",
"",
""
],
"int8": [
"constant",
"",
""
],
"inverse": [
"function",
"(input, *, out=None)",
"Computes the inverse of a square matrix if it exists"
],
"is_tensor": [
"function",
"(obj, /)",
"Returns True if obj is a PyTorch tensor"
],
"isclose": [
"function",
"(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
"Returns a new tensor with boolean elements representing if each element of input is \"close\" to the …"
],
"isfinite": [
"function",
"(input)",
"Returns a new tensor with boolean elements representing if each element is finite or not"
],
"isin": [
"function",
"(elements, test_elements, *, assume_unique=False, invert=False)",
"Tests if each element of elements is in test_elements"
],
"isinf": [
"function",
"(input)",
"Tests if each element of input is infinite (positive or negative infinity) or not"
],
"isnan": [
"function",
"(input)",
"Returns a new tensor with boolean elements representing if each element of input is NaN or not"
],
"kron": [
"function",
"(input, other, *, out=None)",
"Computes the Kronecker product, denoted by"
],
"le": [
"function",
"(input, other, *, out=None)",
"Computes"
],
"lerp": [
"function",
"(input, end, weight, *, out=None)",
"Does a linear interpolation of two tensors start (given by input) and end based on a scalar or tensor weight …"
],
"linalg": [
"namespace",
"",
""
],
"linspace": [
"function",
"(start, end, steps, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Creates a one-dimensional tensor of size steps whose values are evenly spaced from start to end, inclusive"
],
"log": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the natural logarithm of the elements of input"
],
"log10": [
"function",
"(input: Tensor, *, out: Optional[Tensor])",
"Returns a new tensor with the logarithm to the base 10 of the elements of input"
],
"log1p": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the natural logarithm of (1 + input)"
],
"log2": [
"function",
"(input: Tensor, *, out: Optional[Tensor])",
"Returns a new tensor with the logarithm to the base 2 of the elements of input"
],
"logaddexp": [
"function",
"(input, other, *, out=None)",
"Logarithm of the sum of exponentiations of the inputs"
],
"logical_and": [
"function",
"(input, other, *, out=None)",
"Computes the element-wise logical AND of the given input tensors"
],
"logical_not": [
"function",
"(input, *, out=None)",
"Computes the element-wise logical NOT of the given input tensor"
],
"logical_or": [
"function",
"(input, other, *, out=None)",
"Computes the element-wise logical OR of the given input tensors"
],
"logspace": [
"function",
"(start, end, steps, base=10.0, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Creates a one-dimensional tensor of size steps whose values are evenly spaced from …"
],
"logsumexp": [
"function",
"(input, dim, keepdim=False, *, out=None)",
"Returns the log of summed exponentials of each row of the input tensor in the given dimension dim"
],
"lt": [
"function",
"(input, other, *, out=None)",
"Computes :math:\\text{input} <."
],
"manual_seed": [
"function",
"(seed)",
"Sets the seed for generating random numbers on all devices"
],
"masked_select": [
"function",
"(input, mask, *, out=None)",
"Returns a new 1-D tensor which indexes the input tensor according to the boolean mask mask which is a …"
],
"matmul": [
"function",
"(input, other, *, out=None)",
"Matrix product of two tensors"
],
"max": [
"function",
"(input, *, out=None)",
"Returns the maximum value of all elements in the input tensor"
],
"maximum": [
"function",
"(input, other, *, out=None)",
"Computes the element-wise maximum of input and other"
],
"mean": [
"function",
"(input, *, dtype=None)",
"Returns the mean value of all elements in the input tensor"
],
"median": [
"function",
"(input)",
"Returns the median of the values in input"
],
"meshgrid": [
"function",
"(*tensors, indexing=None)",
"Creates grids of coordinates specified by the 1D inputs in attr:tensors"
],
"min": [
"function",
"(input, *, out=None)",
"Returns the minimum value of all elements in the input tensor"
],
"minimum": [
"function",
"(input, other, *, out=None)",
"Computes the element-wise minimum of input and other"
],
"mm": [
"function",
"(input, mat2, *, out=None)",
"Performs a matrix multiplication of the matrices input and mat2."
],
"moveaxis": [
"function",
"(input, source, destination)",
"Moves the dimension(s) of input at the position(s) in source to the position(s) in destination"
],
"movedim": [
"function",
"(input, source, destination)",
"Moves the dimension(s) of input at the position(s) in source to the position(s) in destination"
],
"mul": [
"function",
"(input, other, *, out=None)",
"Multiplies input by other"
],
"multinomial": [
"function",
"(input, num_samples, replacement=False, *, generator=None, out=None)",
"Returns a tensor where each row contains num_samples indices sampled from the multinomial (a stricter …"
],
"mv": [
"function",
"(input, vec, *, out=None)",
"Performs a matrix-vector product of the matrix input and the vector vec"
],
"nan": [
"constant",
"",
"nan"
],
"nan_to_num": [
"function",
"(input, nan=0.0, posinf=None, neginf=None, *, out=None)",
"Replaces NaN, positive infinity, and negative infinity values in input with the values specified by nan, …"
],
"ne": [
"function",
"(input, other, *, out=None)",
"Computes"
],
"neg": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the negative of the elements of input"
],
"nn": [
"namespace",
"",
""
],
"no_grad": [
"class",
"()",
"Context-manager that disables gradient calculation"
],
"nonzero": [
"function",
"(input, *, out=None, as_tuple=False)",
"torch.nonzero..., as_tuple=True) returns a tuple of 1-D index tensors, allowing for advanced indexing, so …"
],
"norm": [
"function",
"(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)",
"Returns the matrix norm or vector norm of a given tensor"
],
"normal": [
"function",
"(mean, std, *, generator=None, out=None)",
"Returns a tensor of random numbers drawn from separate normal distributions whose mean and standard deviation …"
],
"numel": [
"function",
"(input: Tensor)",
"Returns the total number of elements in the input tensor"
],
"ones": [
"function",
"(*size, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Returns a tensor filled with the scalar value 1, with the shape defined by the variable argument size"
],
"ones_like": [
"function",
"(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=torch.preserve_format)",
"Returns a tensor filled with the scalar value 1, with the same size as input"
],
"outer": [
"function",
"(input, vec2, *, out=None)",
"Outer product of input and vec2. If input is a vector of size n and vec2 is a vector of size m, then out must …"
],
"permute": [
"function",
"(input, dims)",
"Returns a view of the original tensor input with its dimensions permuted"
],
"pi": [
"constant",
"",
"3.141592653589793"
],
"polar": [
"function",
"(abs, angle, *, out=None)",
"Constructs a complex tensor whose elements are Cartesian coordinates corresponding to the polar coordinates …"
],
"pow": [
"function",
"(input, exponent, *, out=None)",
"Takes the power of each element in input with exponent and returns a tensor with the result"
],
"prod": [
"function",
"(input: Tensor, *, dtype: Optional[_dtype])",
"Returns the product of all elements in the input tensor"
],
"quantile": [
"function",
"(input, q, dim=None, keepdim=False, *, interpolation='linear', out=None)",
"Computes the q-th quantiles of each row of the input tensor along the dimension dim"
],
"rand": [
"function",
"(*size, *, generator=None, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False, pin_memory=False)",
"Returns a tensor filled with random numbers from a uniform distribution on the interval [0, 1)"
],
"rand_like": [
"function",
"(input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=torch.preserve_format)",
"Returns a tensor with the same size as input that is filled with random numbers from a uniform distribution …"
],
"randint": [
"function",
"(low=0, high, size, \\*, generator=None, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Returns a tensor filled with random integers generated uniformly between low (inclusive) and high (exclusive)"
],
"randn": [
"function",
"(*size, *, generator=None, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False, pin_memory=False)",
"Returns a tensor filled with random numbers from a normal distribution with mean 0 and variance 1 (also …"
],
"randn_like": [
"function",
"(input, *, generator=None, dtype=None, layout=None, device=None, requires_grad=False, memory_format=torch.preserve_format)",
"Returns a tensor with the same size as input that is filled with random numbers from a normal distribution …"
],
"randperm": [
"function",
"(n, *, generator=None, out=None, dtype=torch.int64,layout=torch.strided, device=None, requires_grad=False, pin_memory=False)",
"Returns a random permutation of integers from 0 to n - 1."
],
"reciprocal": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the reciprocal of the elements of input"
],
"repeat_interleave": [
"function",
"(input, repeats, dim=None, *, output_size=None)",
"Repeat elements of a tensor"
],
"reshape": [
"function",
"(input, shape)",
"Returns a tensor with the same data and number of elements as input, but with the specified shape"
],
"roll": [
"function",
"(input, shifts, dims=None)",
"Roll the tensor input along the given dimension(s)"
],
"rot90": [
"function",
"(input, k=1, dims=(0, 1))",
"Rotate an n-D tensor by 90 degrees in the plane specified by dims axis"
],
"round": [
"function",
"(input, *, decimals=0, out=None)",
"Rounds elements of input to the nearest integer"
],
"rsqrt": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the reciprocal of the square-root of each of the elements of input"
],
"scatter": [
"function",
"(input, dim, index, src)",
"Out-of-place version of torch.Tensor.scatter_"
],
"scatter_add": [
"function",
"(input, dim, index, src)",
"Out-of-place version of torch.Tensor.scatter_add_"
],
"searchsorted": [
"function",
"(sorted_sequence, values, *, out_int32=False, right=False, side=None, out=None, sorter=None)",
"Find the indices from the *innermost* dimension of sorted_sequence such that, if the corresponding values in …"
],
"select": [
"function",
"(input, dim, index)",
"Slices the input tensor along the selected dimension at the given index"
],
"sigmoid": [
"function",
"(input, *, out=None)",
"Computes the expit (also known as the logistic sigmoid function) of the elements of input"
],
"sign": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the signs of the elements of input"
],
"sin": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the sine of the elements in the input tensor, where each value in this input tensor …"
],
"sinh": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the hyperbolic sine of the elements of input"
],
"slice_scatter": [
"function",
"(input, src, dim=0, start=None, end=None, step=1)",
"Embeds the values of the src tensor into input at the given dimension"
],
"softmax": [
"function",
"(input, dim, *, dtype=None)",
"Apply a softmax function"
],
"sort": [
"function",
"(input, dim=-1, descending=False, *, stable=False, out=None)",
"Sorts the elements of the input tensor along a given dimension in ascending order by value"
],
"split": [
"function",
"(tensor, split_size_or_sections, dim=0)",
"Splits the tensor into chunks"
],
"sqrt": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the square-root of the elements of input"
],
"square": [
"function",
"(input: Tensor, *, out: Optional[Tensor])",
"Returns a new tensor with the square of the elements of input"
],
"squeeze": [
"function",
"(input: Tensor, dim: Optional[Union[int, List[int]]])",
"Returns a tensor with all specified dimensions of input of size 1 removed"
],
"stack": [
"function",
"(tensors, dim=0, *, out=None)",
"Concatenates a sequence of tensors along a new dimension"
],
"std": [
"function",
"(input, dim=None, *, correction=1, keepdim=False, out=None)",
"Calculates the standard deviation over the dimensions specified by dim"
],
"sub": [
"function",
"(input, other, *, alpha=1, out=None)",
"Subtracts other, scaled by alpha, from input"
],
"sum": [
"function",
"(input, *, dtype=None)",
"Returns the sum of all elements in the input tensor"
],
"swapaxes": [
"function",
"(input, axis0, axis1)",
"Returns a tensor that is a transposed version of input"
],
"tan": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the tangent of the elements in the input tensor, where each value in this input …"
],
"tanh": [
"function",
"(input, *, out=None)",
"Returns a new tensor with the hyperbolic tangent of the elements of input"
],
"Tensor": [
"class",
"",
""
],
"tensor": [
"function",
"(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)",
"Constructs a tensor with no autograd history (also known as a \"leaf tensor\", see /notes/autograd) by copying …"
],
"tensordot": [
"function",
"(a, b, dims=2, out=None)",
"Returns a contraction of a and b over multiple dimensions"
],
"tile": [
"function",
"(input, dims)",
"Constructs a tensor by repeating the elements of input"
],
"topk": [
"function",
"(input, k, dim=None, largest=True, sorted=True, *, out=None)",
"Returns the k largest elements of the given input tensor along a given dimension"
],
"trace": [
"function",
"(input)",
"Returns the sum of the elements of the diagonal of the input 2-D matrix"
],
"transpose": [
"function",
"(input, dim0, dim1)",
"Returns a tensor that is a transposed version of input"
],
"tril": [
"function",
"(input, diagonal=0, *, out=None)",
"Returns the lower triangular part of the matrix (2-D tensor) or batch of matrices input, the other elements …"
],
"tril_indices": [
"function",
"(row, col, offset=0, *, dtype=torch.long, device='cpu', layout=torch.strided)",
"Returns the indices of the lower triangular part of a row-by- col matrix in a 2-by-N Tensor, where the first …"
],
"triu": [
"function",
"(input, diagonal=0, *, out=None)",
"Returns the upper triangular part of a matrix (2-D tensor) or batch of matrices input, the other elements of …"
],
"triu_indices": [
"function",
"(row, col, offset=0, *, dtype=torch.long, device='cpu', layout=torch.strided)",
"Returns the indices of the upper triangular part of a row by col matrix in a 2-by-N Tensor, where the first …"
],
"uint8": [
"constant",
"",
""
],
"unbind": [
"function",
"(input, dim=0)",
"Removes a tensor dimension"
],
"unflatten": [
"function",
"(input, dim, sizes)",
"Expands a dimension of the input tensor over multiple dimensions"
],
"unique": [
"function",
"(input, sorted=True, return_inverse=False, return_counts=False, dim=None)",
"Returns the unique elements of the input tensor"
],
"unsqueeze": [
"function",
"(input, dim)",
"Returns a new tensor with a dimension of size one inserted at the specified position"
],
"vander": [
"function",
"(x, N=None, increasing=False)",
"Generates a Vandermonde matrix"
],
"var": [
"function",
"(input, dim=None, *, correction=1, keepdim=False, out=None)",
"Calculates the variance over the dimensions specified by dim"
],
"vdot": [
"function",
"(input, other, *, out=None)",
"Computes the dot product of two 1D vectors along a dimension"
],
"view_as_complex": [
"function",
"(input)",
"Returns a view of input as a complex tensor"
],
"view_as_real": [
"function",
"(input)",
"Returns a view of input as a real tensor"
],
"vmap": [
"function",
"(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)",
"vmap is the vectorizing map; vmap(func) returns a new function that maps func over some dimension of the …"
],
"vstack": [
"function",
"(tensors, *, out=None)",
"Stack tensors in sequence vertically (row wise)"
],
"where": [
"function",
"(condition, input, other, *, out=None)",
"Return a tensor of elements selected from either input or other, depending on condition"
],
"zeros": [
"function",
"(*size, *, out=None, dtype=None, layout=torch.strided, device=None, requires_grad=False)",
"Returns a tensor filled with the scalar value 0, with the shape defined by the variable argument size"
],
"zeros_like": [
"function",
"(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=torch.preserve_format)",
"Returns a tensor filled with the scalar value 0, with the same size as input"
]
},
"torch.nn": {
"AdaptiveAvgPool1d": [
"class",
"(output_size)",
"Applies a 1D adaptive average pooling over an input signal composed of several input planes"
],
"AdaptiveAvgPool2d": [
"class",
"(output_size)",
"Applies a 2D adaptive average pooling over an input signal composed of several input planes"
],
"AvgPool1d": [
"class",
"(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
"Applies a 1D average pooling over an input signal composed of several input planes"
],
"AvgPool2d": [
"class",
"(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
"Applies a 2D average pooling over an input signal composed of several input planes"
],
"BatchNorm1d": [
"class",
"(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True)",
"Applies Batch Normalization over a 2D or 3D input"
],
"BatchNorm2d": [
"class",
"(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True)",
"Applies Batch Normalization over a 4D input"
],
"BCELoss": [
"class",
"(weight=None, size_average=None, reduce=None, reduction='mean')",
"Creates a criterion that measures the Binary Cross Entropy between the target and the input probabilities"
],
"BCEWithLogitsLoss": [
"class",
"(weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None)",
"This loss combines a Sigmoid layer and the BCELoss in one single class"
],
"Bilinear": [
"class",
"(in1_features, in2_features, out_features, bias=True, device=None, dtype=None)",
"Applies a bilinear transformation to the incoming data: y = x_1^T A x_2 + b"
],
"Conv1d": [
"class",
"(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None)",
"Applies a 1D convolution over an input signal composed of several input planes"
],
"Conv2d": [
"class",
"(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', device=None, dtype=None)",
"Applies a 2D convolution over an input signal composed of several input planes"
],
"ConvTranspose1d": [
"class",
"(in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None)",
"Applies a 1D transposed convolution operator over an input image composed of several input planes"
],
"ConvTranspose2d": [
"class",
"(in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros', device=None, dtype=None)",
"Applies a 2D transposed convolution operator over an input image composed of several input planes"
],
"CrossEntropyLoss": [
"class",
"(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)",
"This criterion computes the cross entropy loss between input logits and target"
],
"Dropout": [
"class",
"(p=0.5, inplace=False)",
"During training, randomly zeroes some of the elements of the input tensor with probability p"
],
"Dropout2d": [
"class",
"(p=0.5, inplace=False)",
"Randomly zero out entire channels"
],
"ELU": [
"class",
"(alpha=1.0, inplace=False)",
"Applies the Exponential Linear Unit (ELU) function, element-wise"
],
"Embedding": [
"class",
"(num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False, device=None, dtype=None)",
"A simple lookup table that stores embeddings of a fixed dictionary and size"
],
"EmbeddingBag": [
"class",
"(num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False, include_last_offset=False, padding_idx=None, device=None, dtype=None)",
"Compute sums or means of 'bags' of embeddings, without instantiating the intermediate embeddings"
],
"Flatten": [
"class",
"(start_dim=1, end_dim=-1)",
"Flattens a contiguous range of dims into a tensor"
],
"functional": [
"namespace",
"",
""
],
"GELU": [
"class",
"(approximate='none')",
"Applies the Gaussian Error Linear Units function"
],
"GLU": [
"class",
"(dim=-1)",
"Applies the gated linear unit function"
],
"GroupNorm": [
"class",
"(num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, *, bias=True)",
"Applies Group Normalization over a mini-batch of inputs"
],
"GRU": [
"class",
"(*args, **kwargs)",
"Apply a multi-layer gated recurrent unit (GRU) RNN to an input sequence"
],
"GRUCell": [
"class",
"(input_size, hidden_size, bias=True, device=None, dtype=None)",
"A gated recurrent unit (GRU) cell"
],
"HuberLoss": [
"class",
"(reduction='mean', delta=1.0)",
"Creates a criterion that uses a squared term if the absolute element-wise error falls below delta and a …"
],
"Identity": [
"class",
"(*args, **kwargs)",
"A placeholder identity operator that is argument-insensitive"
],
"init": [
"namespace",
"",
""
],
"InstanceNorm2d": [
"class",
"(num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias=True)",
"Applies Instance Normalization"
],
"KLDivLoss": [
"class",
"(size_average=None, reduce=None, reduction='mean', log_target=False)",
"The Kullback-Leibler divergence loss"
],
"L1Loss": [
"class",
"(size_average=None, reduce=None, reduction='mean')",
"Creates a criterion that measures the mean absolute error (MAE) between each element in the input x and …"
],
"LayerNorm": [
"class",
"(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None)",
"Applies Layer Normalization over a mini-batch of inputs"
],
"LeakyReLU": [
"class",
"(negative_slope=0.01, inplace=False)",
"Applies the LeakyReLU function element-wise"
],
"Linear": [
"class",
"(in_features, out_features, bias=True, device=None, dtype=None)",
"Applies an affine linear transformation to the incoming data: y = xA^T + b"
],
"LogSoftmax": [
"class",
"(dim=None)",
"Applies the"
],
"LSTM": [
"class",
"(*args, **kwargs)",
"Apply a multi-layer long short-term memory (LSTM) RNN to an input sequence"
],
"LSTMCell": [
"class",
"(input_size, hidden_size, bias=True, device=None, dtype=None)",
"A long short-term memory (LSTM) cell"
],
"MaxPool1d": [
"class",
"(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False)",
"Applies a 1D max pooling over an input signal composed of several input planes"
],
"MaxPool2d": [
"class",
"(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False)",
"Applies a 2D max pooling over an input signal composed of several input planes"
],
"Mish": [
"class",
"(inplace=False)",
"Applies the Mish function, element-wise"
],
"Module": [
"class",
"(*args, **kwargs)",
"Base class for all neural network modules"
],
"ModuleDict": [
"class",
"(modules=None)",
"Holds submodules in a dictionary"
],
"ModuleList": [
"class",
"(modules=None)",
"Holds submodules in a list"
],
"MSELoss": [
"class",
"(size_average=None, reduce=None, reduction='mean')",
"Creates a criterion that measures the mean squared error (squared L2 norm) between each element in the input …"
],
"MultiheadAttention": [
"class",
"(embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None)",
"Allows the model to jointly attend to information from different representation subspaces"
],
"NLLLoss": [
"class",
"(weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')",
"The negative log likelihood loss"
],
"Parameter": [
"class",
"(data=None, requires_grad=True)",
"A kind of Tensor that is to be considered a module parameter"
],
"ParameterDict": [
"class",
"(parameters=None)",
"Holds parameters in a dictionary"
],
"ParameterList": [
"class",
"(values=None)",
"Holds parameters in a list"
],
"PReLU": [
"class",
"(num_parameters=1, init=0.25, device=None, dtype=None)",
"Applies the element-wise PReLU function"
],
"ReLU": [
"class",
"(inplace=False)",
"Applies the rectified linear unit function element-wise"
],
"RMSNorm": [
"class",
"(normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None)",
"Applies Root Mean Square Layer Normalization over a mini-batch of inputs"
],
"RNN": [
"class",
"(*args, **kwargs)",
"Apply a multi-layer Elman RNN with"
],
"SELU": [
"class",
"(inplace=False)",
"Applies the SELU function element-wise"
],
"Sequential": [
"class",
"(*args)",
"A sequential container"
],
"Sigmoid": [
"class",
"(*args, **kwargs)",
"Applies the Sigmoid function element-wise"
],
"SiLU": [
"class",
"(inplace=False)",
"Applies the Sigmoid Linear Unit (SiLU) function, element-wise"
],
"SmoothL1Loss": [
"class",
"(size_average=None, reduce=None, reduction='mean', beta=1.0)",
"Creates a criterion that uses a squared term if the absolute element-wise error falls below beta and an L1 …"
],
"Softmax": [
"class",
"(dim=None)",
"Applies the Softmax function to an n-dimensional input Tensor"
],
"Softplus": [
"class",
"(beta=1.0, threshold=20.0)",
"Applies the Softplus function element-wise"
],
"Tanh": [
"class",
"(*args, **kwargs)",
"Applies the Hyperbolic Tangent (Tanh) function element-wise"
],
"Transformer": [
"class",
"(d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, activation=relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, …)",
"A basic transformer layer"
],
"TransformerDecoderLayer": [
"class",
"(d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=relu, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)",
"TransformerDecoderLayer is made up of self-attn, multi-head-attn and feedforward network"
],
"TransformerEncoder": [
"class",
"(encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True)",
"TransformerEncoder is a stack of N encoder layers"
],
"TransformerEncoderLayer": [
"class",
"(d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=relu, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)",
"TransformerEncoderLayer is made up of self-attn and feedforward network"
],
"Unflatten": [
"class",
"(dim, unflattened_size)",
"Unflattens a tensor dim expanding it to a desired shape"
],
"Upsample": [
"class",
"(size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)",
"Upsamples a given multi-channel 1D (temporal), 2D (spatial) or 3D (volumetric) data"
],
"utils": [
"namespace",
"",
""
]
},
"torch.nn.Module": {
"add_module": [
"function",
"(name, module)",
"Add a child module to the current module"
],
"apply": [
"function",
"(fn)",
"Apply fn recursively to every submodule (as returned by .children()) as well as self"
],
"buffers": [
"function",
"(recurse=True)",
"Return an iterator over module buffers"
],
"children": [
"function",
"()",
"Return an iterator over immediate children modules"
],
"cpu": [
"function",
"()",
"Move all model parameters and buffers to the CPU."
],
"double": [
"function",
"()",
"Casts all floating point parameters and buffers to double datatype"
],
"eval": [
"function",
"()",
"Set the module in evaluation mode"
],
"extra_repr": [
"function",
"()",
"Return the extra representation of the module"
],
"float": [
"function",
"()",
"Casts all floating point parameters and buffers to float datatype"
],
"forward": [
"function",
"(*input)",
"Define the computation performed at every call"
],
"get_parameter": [
"function",
"(target)",
"Return the parameter given by target if it exists, otherwise throw an error"
],
"get_submodule": [
"function",
"(target)",
"Return the submodule given by target if it exists, otherwise throw an error"
],
"half": [
"function",
"()",
"Casts all floating point parameters and buffers to half datatype"
],
"load_state_dict": [
"function",
"(state_dict, strict=True, assign=False)",
"Copy parameters and buffers from state_dict into this module and its descendants"
],
"modules": [
"function",
"(remove_duplicate=True)",
"Return an iterator over all modules in the network"
],
"named_buffers": [
"function",
"(prefix='', recurse=True, remove_duplicate=True)",
"Return an iterator over module buffers, yielding both the name of the buffer as well as the buffer itself"
],
"named_children": [
"function",
"()",
"Return an iterator over immediate children modules, yielding both the name of the module as well as the …"
],
"named_modules": [
"function",
"(memo=None, prefix='', remove_duplicate=True)",
"Return an iterator over all modules in the network, yielding both the name of the module as well as the …"
],
"named_parameters": [
"function",
"(prefix='', recurse=True, remove_duplicate=True)",
"Return an iterator over module parameters, yielding both the name of the parameter as well as the parameter …"
],
"parameters": [
"function",
"(recurse=True)",
"Return an iterator over module parameters"
],
"register_buffer": [
"function",
"(name, tensor, persistent=True)",
"Add a buffer to the module"
],
"register_forward_hook": [
"function",
"(hook, *, prepend=False, with_kwargs=False, always_call=False)",
"Register a forward hook on the module"
],
"register_module": [
"function",
"(name, module)",
"Alias for add_module"
],
"register_parameter": [
"function",
"(name, param)",
"Add a parameter to the module"
],
"requires_grad_": [
"function",
"(requires_grad=True)",
"Change if autograd should record operations on parameters in this module"
],
"state_dict": [
"function",
"(*args, destination=None, prefix='', keep_vars=False)",
"Return a dictionary containing references to the whole state of the module"
],
"to": [
"function",
"(*args, **kwargs)",
"Move and/or cast the parameters and buffers"
],
"train": [
"function",
"(mode=True)",
"Set the module in training mode"
],
"zero_grad": [
"function",
"(set_to_none=True)",
"Reset gradients of all model parameters"
]
},
"torch.nn.functional": {
"adaptive_avg_pool2d": [
"function",
"(input, output_size)",
"Apply a 2D adaptive average pooling over an input signal composed of several input planes"
],
"avg_pool1d": [
"function",
"(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
"Applies a 1D average pooling over an input signal composed of several input planes"
],
"avg_pool2d": [
"function",
"(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
"Applies 2D average-pooling operation in kH."
],
"batch_norm": [
"function",
"(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05)",
"Apply Batch Normalization for each channel across a batch of data"
],
"binary_cross_entropy": [
"function",
"(input, target, weight=None, size_average=None, reduce=None, reduction='mean')",
"Compute Binary Cross Entropy between the target and input probabilities"
],
"binary_cross_entropy_with_logits": [
"function",
"(input, target, weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None)",
"Compute Binary Cross Entropy between target and input logits"
],
"conv1d": [
"function",
"(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
"Applies a 1D convolution over an input signal composed of several input planes"
],
"conv2d": [
"function",
"(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
"Applies a 2D convolution over an input image composed of several input planes"
],
"conv_transpose2d": [
"function",
"(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1)",
"Applies a 2D transposed convolution operator over an input image composed of several input planes, sometimes …"
],
"cosine_similarity": [
"function",
"(x1, x2, dim=1, eps=1e-8)",
"Returns cosine similarity between x1 and x2, computed along dim"
],
"cross_entropy": [
"function",
"(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)",
"Compute the cross entropy loss between input logits and target"
],
"dropout": [
"function",
"(input, p=0.5, training=True, inplace=False)",
"During training, randomly zeroes some elements of the input tensor with probability p"
],
"elu": [
"function",
"(input, alpha=1.0, inplace=False)",
"Apply the Exponential Linear Unit (ELU) function element-wise"
],
"embedding": [
"function",
"(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)",
"Generate a simple lookup table that looks up embeddings in a fixed dictionary and size"
],
"embedding_bag": [
"function",
"(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None)",
"Compute sums, means or maxes of bags of embeddings"
],
"fold": [
"function",
"(input, output_size, kernel_size, dilation=1, padding=0, stride=1)",
"Combine an array of sliding local blocks into a large containing tensor"
],
"gelu": [
"function",
"(input, approximate = 'none')",
"When the approximate argument is 'none', it applies element-wise the function"
],
"glu": [
"function",
"(input, dim=-1)",
"The gated linear unit"
],
"group_norm": [
"function",
"(input, num_groups, weight=None, bias=None, eps=1e-05)",
"Apply Group Normalization for last certain number of dimensions"
],
"gumbel_softmax": [
"function",
"(logits, tau=1, hard=False, eps=1e-10, dim=-1)",
"Sample from the Gumbel-Softmax distribution (Link 1_ Link 2_) and optionally discretize"
],
"hardtanh": [
"function",
"(input, min_val=-1.0, max_val=1.0, inplace=False)",
"Applies the HardTanh function element-wise"
],
"huber_loss": [
"function",
"(input, target, reduction='mean', delta=1.0, weight=None)",
"Compute the Huber loss, with optional weighting"
],
"interpolate": [
"function",
"(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False)",
"Down/up samples the input"
],
"kl_div": [
"function",
"(input, target, size_average=None, reduce=None, reduction='mean', log_target=False)",
"Compute the KL Divergence loss"
],
"l1_loss": [
"function",
"(input, target, size_average=None, reduce=None, reduction='mean', weight=None)",
"Compute the L1 loss, with optional weighting"
],
"layer_norm": [
"function",
"(input, normalized_shape, weight=None, bias=None, eps=1e-05)",
"Apply Layer Normalization for last certain number of dimensions"
],
"leaky_relu": [
"function",
"(input, negative_slope=0.01, inplace=False)",
"Applies element-wise,."
],
"linear": [
"function",
"(input, weight, bias=None)",
"Applies a linear transformation to the incoming data: y = xA^T + b"
],
"log_softmax": [
"function",
"(input, dim=None, dtype=None)",
"Apply a softmax followed by a logarithm"
],
"logsigmoid": [
"function",
"",
"Applies element-wise"
],
"max_pool1d": [
"function",
"(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
"Applies a 1D max pooling over an input signal composed of several input planes"
],
"max_pool2d": [
"function",
"(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
"Applies a 2D max pooling over an input signal composed of several input planes"
],
"mish": [
"function",
"(input, inplace=False)",
"Apply the Mish function, element-wise"
],
"mse_loss": [
"function",
"(input, target, size_average=None, reduce=None, reduction='mean', weight=None)",
"Compute the element-wise mean squared error, with optional weighting"
],
"nll_loss": [
"function",
"(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')",
"Compute the negative log likelihood loss"
],
"normalize": [
"function",
"(input, p=2.0, dim=1, eps=1e-12, out=None)",
"Perform L_p normalization of inputs over specified dimension"
],
"one_hot": [
"function",
"(tensor, num_classes=-1)",
"Takes LongTensor with index values of shape (*) and returns a tensor of shape (*, num_classes) that have …"
],
"pad": [
"function",
"(input, pad, mode='constant', value=None)",
"Pads tensor"
],
"pairwise_distance": [
"function",
"(x1, x2, p=2.0, eps=1e-6, keepdim=False)",
"See torch.nn.PairwiseDistance for details"
],
"relu": [
"function",
"(input, inplace=False)",
"Applies the rectified linear unit function element-wise"
],
"relu6": [
"function",
"(input, inplace=False)",
"Applies the element-wise function"
],
"rms_norm": [
"function",
"(input, normalized_shape, weight=None, eps=None)",
"Apply Root Mean Square Layer Normalization"
],
"scaled_dot_product_attention": [
"function",
"(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False)",
"scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, …"
],
"selu": [
"function",
"(input, inplace=False)",
"Applies element-wise,."
],
"sigmoid": [
"function",
"(input)",
"Applies the element-wise function"
],
"silu": [
"function",
"(input, inplace=False)",
"Apply the Sigmoid Linear Unit (SiLU) function, element-wise"
],
"smooth_l1_loss": [
"function",
"(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0)",
"Compute the Smooth L1 loss"
],
"softmax": [
"function",
"(input, dim=None, dtype=None)",
"Apply a softmax function"
],
"softmin": [
"function",
"(input, dim=None, dtype=None)",
"Apply a softmin function"
],
"softplus": [
"function",
"(input, beta=1, threshold=20)",
"Applies element-wise, the function"
],
"softsign": [
"function",
"(input)",
"Applies element-wise, the function"
],
"tanh": [
"function",
"(input)",
"Applies element-wise,."
],
"unfold": [
"function",
"(input, kernel_size, dilation=1, padding=0, stride=1)",
"Extract sliding local blocks from a batched input tensor"
]
},
"torch.nn.init": {
"constant_": [
"function",
"(tensor, val)",
"Fill the input Tensor with the value"
],
"eye_": [
"function",
"(tensor)",
"Fill the 2-dimensional input Tensor with the identity matrix"
],
"kaiming_normal_": [
"function",
"(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
"Fill the input Tensor with values using a Kaiming normal distribution"
],
"kaiming_uniform_": [
"function",
"(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
"Fill the input Tensor with values using a Kaiming uniform distribution"
],
"normal_": [
"function",
"(tensor, mean=0.0, std=1.0, generator=None)",
"Fill the input Tensor with values drawn from the normal distribution"
],
"ones_": [
"function",
"(tensor)",
"Fill the input Tensor with the scalar value 1."
],
"orthogonal_": [
"function",
"(tensor, gain=1, generator=None)",
"Fill the input Tensor with a (semi) orthogonal matrix"
],
"trunc_normal_": [
"function",
"(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None)",
"Fill the input Tensor with values drawn from a truncated normal distribution"
],
"uniform_": [
"function",
"(tensor, a=0.0, b=1.0, generator=None)",
"Fill the input Tensor with values drawn from the uniform distribution"
],
"xavier_normal_": [
"function",
"(tensor, gain=1.0, generator=None)",
"Fill the input Tensor with values using a Xavier normal distribution"
],
"xavier_uniform_": [
"function",
"(tensor, gain=1.0, generator=None)",
"Fill the input Tensor with values using a Xavier uniform distribution"
],
"zeros_": [
"function",
"(tensor)",
"Fill the input Tensor with the scalar value 0."
]
},
"torch.linalg": {
"cholesky": [
"function",
"(A, *, upper=False, out=None)",
"Computes the Cholesky decomposition of a complex Hermitian or real symmetric positive-definite matrix"
],
"cross": [
"function",
"(input, other, *, dim=-1, out=None)",
"Computes the cross product of two 3-dimensional vectors"
],
"det": [
"function",
"(A, *, out=None)",
"Computes the determinant of a square matrix"
],
"eig": [
"function",
"(A, *, out=None)",
"Computes the eigenvalue decomposition of a square matrix if it exists"
],
"eigh": [
"function",
"(A, UPLO='L', *, out=None)",
"Computes the eigenvalue decomposition of a complex Hermitian or real symmetric matrix"
],
"inv": [
"function",
"(A, *, out=None)",
"Computes the inverse of a square matrix if it exists"
],
"lstsq": [
"function",
"(A, B, rcond=None, *, driver=None)",
"Computes a solution to the least squares problem of a system of linear equations"
],
"matrix_norm": [
"function",
"(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None, out=None)",
"Computes a matrix norm"
],
"matrix_power": [
"function",
"(A, n, *, out=None)",
"Computes the n-th power of a square matrix for an integer n"
],
"norm": [
"function",
"(input, ord=None, dim=None, keepdim=False, *, out=None, dtype=None)",
"Computes a vector or matrix norm"
],
"pinv": [
"function",
"(A, *, atol=None, rtol=None, hermitian=False, out=None)",
"Computes the pseudoinverse (Moore-Penrose inverse) of a matrix"
],
"qr": [
"function",
"(A, mode='reduced', *, out=None)",
"Computes the QR decomposition of a matrix"
],
"slogdet": [
"function",
"(A, *, out=None)",
"Computes the sign and natural logarithm of the absolute value of the determinant of a square matrix"
],
"solve": [
"function",
"(A, B, *, left=True, out=None)",
"Computes the solution of a square system of linear equations with a unique solution"
],
"svd": [
"function",
"(A, full_matrices=True, *, driver=None, out=None)",
"Computes the singular value decomposition (SVD) of a matrix"
],
"vector_norm": [
"function",
"(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None)",
"Computes a vector norm"
]
},
"torch.autograd": {
"backward": [
"function",
"(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None)",
"Compute the sum of gradients of given tensors with respect to graph leaves"
],
"Function": [
"class",
"(*args, **kwargs)",
"Base class to create custom autograd.Function"
],
"grad": [
"function",
"(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None, is_grads_batched=False, materialize_grads=False)",
"Compute and return the sum of gradients of outputs with respect to the inputs"
]
},
"torch.Tensor": {
"abs": [
"function",
"()",
"Computes the absolute value of each element in input"
],
"add": [
"function",
"(other, *, alpha=1)",
"Add a scalar or tensor to self tensor"
],
"add_": [
"function",
"(other, *, alpha=1)",
"In-place version of Tensor.add"
],
"all": [
"function",
"(dim=None, keepdim=False)",
"Tests if all elements in input evaluate to True"
],
"amax": [
"function",
"(dim=None, keepdim=False)",
"Returns the maximum value of each slice of the input tensor in the given dimension(s) dim"
],
"amin": [
"function",
"(dim=None, keepdim=False)",
"Returns the minimum value of each slice of the input tensor in the given dimension(s) dim"
],
"any": [
"function",
"(dim=None, keepdim=False)",
"Tests if any element in input evaluates to True"
],
"argmax": [
"function",
"(dim=None, keepdim=False)",
"Returns the indices of the maximum value of all elements in the input tensor"
],
"argmin": [
"function",
"(dim=None, keepdim=False)",
"Returns the indices of the minimum value(s) of the flattened tensor or along a dimension"
],
"argsort": [
"function",
"(dim=-1, descending=False)",
"Returns the indices that sort a tensor along a given dimension in ascending order by value"
],
"backward": [
"function",
"(gradient=None, retain_graph=None, create_graph=False, inputs=None)",
"Computes the gradient of current tensor wrt graph leaves"
],
"bfloat16": [
"function",
"(memory_format=torch.preserve_format)",
"bfloat16(memory_format=torch.preserve_format) -> Tensor self.bfloat16() is equivalent to …"
],
"bmm": [
"function",
"(batch2)",
"Performs a batch matrix-matrix product of matrices stored in input and mat2."
],
"bool": [
"function",
"(memory_format=torch.preserve_format)",
"self.bool() is equivalent to self.to(torch.bool)"
],
"chunk": [
"function",
"(chunks, dim=0)",
"Attempts to split a tensor into the specified number of chunks"
],
"clamp": [
"function",
"(min=None, max=None)",
"Clamps all elements in input into the range [ min, max ]"
],
"clip": [
"function",
"(min=None, max=None)",
"Alias for Tensor.clamp"
],
"clone": [
"function",
"(*, memory_format=torch.preserve_format)",
"Returns a copy of input"
],
"contiguous": [
"function",
"(memory_format=torch.contiguous_format)",
"Returns a contiguous in memory tensor containing the same data as self tensor"
],
"cos": [
"function",
"()",
"Returns a new tensor with the cosine of the elements of input given in radians"
],
"cpu": [
"function",
"(memory_format=torch.preserve_format)",
"Returns a copy of this object in CPU memory"
],
"cumprod": [
"function",
"(dim, dtype=None)",
"Returns the cumulative product of elements of input in the dimension dim"
],
"cumsum": [
"function",
"(dim, dtype=None)",
"Returns the cumulative sum of elements of input in the dimension dim"
],
"detach": [
"function",
"",
"Returns a new Tensor, detached from the current graph"
],
"device": [
"property",
"",
"Is the torch.device where this Tensor is"
],
"diagonal": [
"function",
"(offset=0, dim1=0, dim2=1)",
"Returns a partial view of input with the its diagonal elements with respect to dim1 and dim2 appended as a …"
],
"dim": [
"function",
"()",
"Returns the number of dimensions of self tensor"
],
"dot": [
"function",
"(other)",
"Computes the dot product of two 1D tensors"
],
"dtype": [
"property",
"",
""
],
"exp": [
"function",
"()",
"Returns a new tensor with the exponential of the elements of the input tensor input"
],
"expand": [
"function",
"(*size)",
"Returns a new view of the self tensor with singleton dimensions expanded to a larger size"
],
"expand_as": [
"function",
"(other)",
"Expand this tensor to the same size as other"
],
"fill_": [
"function",
"(value)",
"Fills self tensor with the specified value"
],
"flatten": [
"function",
"(start_dim=0, end_dim=-1)",
"Flattens input by reshaping it into a one-dimensional tensor"
],
"flip": [
"function",
"(dims)",
"Reverse the order of an n-D tensor along given axis in dims"
],
"float": [
"function",
"(memory_format=torch.preserve_format)",
"self.float() is equivalent to self.to(torch.float32)"
],
"floor": [
"function",
"()",
"Returns a new tensor with the floor of the elements of input, the largest integer less than or equal to each …"
],
"gather": [
"function",
"(dim, index)",
"Gathers values along an axis specified by dim"
],
"grad": [
"property",
"",
"This attribute is None by default and becomes a Tensor the first time a call to backward computes gradients …"
],
"half": [
"function",
"(memory_format=torch.preserve_format)",
"self.half() is equivalent to self.to(torch.float16)"
],
"index_add": [
"function",
"(dim, index, source, *, alpha=1)",
"Out-of-place version of torch.Tensor.index_add_."
],
"index_add_": [
"function",
"(dim, index, source, *, alpha=1)",
"Accumulate the elements of alpha times source into the self tensor by adding to the indices in the order …"
],
"index_copy": [
"function",
"(dim, index, tensor2)",
"Out-of-place version of torch.Tensor.index_copy_."
],
"index_fill": [
"function",
"(dim, index, value)",
"Out-of-place version of torch.Tensor.index_fill_."
],
"index_select": [
"function",
"(dim, index)",
"Returns a new tensor which indexes the input tensor along dimension dim using the entries in index"
],
"int": [
"function",
"(memory_format=torch.preserve_format)",
"self.int() is equivalent to self.to(torch.int32)"
],
"is_contiguous": [
"function",
"(memory_format=torch.contiguous_format)",
"Returns True if self tensor is contiguous in memory in the order specified by memory format"
],
"item": [
"function",
"()",
"Returns the value of this tensor as a standard Python number"
],
"log": [
"function",
"()",
"Returns a new tensor with the natural logarithm of the elements of input"
],
"long": [
"function",
"(memory_format=torch.preserve_format)",
"self.long() is equivalent to self.to(torch.int64)"
],
"masked_fill": [
"function",
"(mask, value)",
"Out-of-place version of torch.Tensor.masked_fill_"
],
"masked_fill_": [
"function",
"(mask, value)",
"Fills elements of self tensor with value where mask is True"
],
"masked_scatter": [
"function",
"(mask, tensor)",
"Out-of-place version of torch.Tensor.masked_scatter_"
],
"masked_select": [
"function",
"(mask)",
"Returns a new 1-D tensor which indexes the input tensor according to the boolean mask mask which is a …"
],
"matmul": [
"function",
"(tensor2)",
"Matrix product of two tensors"
],
"max": [
"function",
"(dim=None, keepdim=False)",
"Returns the maximum value of all elements in the input tensor"
],
"mean": [
"function",
"(dim=None, keepdim=False, *, dtype=None)",
"Returns the mean value of all elements in the input tensor"
],
"median": [
"function",
"(dim=None, keepdim=False)",
"Returns the median of the values in input"
],
"mH": [
"property",
"",
"Accessing this property is equivalent to calling adjoint"
],
"min": [
"function",
"(dim=None, keepdim=False)",
"Returns the minimum value of all elements in the input tensor"
],
"movedim": [
"function",
"(source, destination)",
"Moves the dimension(s) of input at the position(s) in source to the position(s) in destination"
],
"mT": [
"property",
"",
"Returns a view of this tensor with the last two dimensions transposed"
],
"mul": [
"function",
"(value)",
"Multiplies input by other"
],
"ndim": [
"property",
"",
"Alias for Tensor.dim()"
],
"nonzero": [
"function",
"()",
"torch.nonzero..., as_tuple=True) returns a tuple of 1-D index tensors, allowing for advanced indexing, so …"
],
"norm": [
"function",
"(p='fro', dim=None, keepdim=False, dtype=None)",
"Computes a vector or matrix norm"
],
"numel": [
"function",
"()",
"Returns the total number of elements in the input tensor"
],
"numpy": [
"function",
"(*, force=False)",
"Returns the tensor as a NumPy ndarray"
],
"permute": [
"function",
"(*dims)",
"Returns a view of the tensor with its dimensions permuted"
],
"pow": [
"function",
"(exponent)",
"Takes the power of each element in input with exponent and returns a tensor with the result"
],
"prod": [
"function",
"(dim=None, keepdim=False, dtype=None)",
"Returns the product of all elements in the input tensor"
],
"ravel": [
"function",
"()",
"see torch.ravel"
],
"repeat": [
"function",
"(*repeats)",
"Repeats this tensor along the specified dimensions"
],
"repeat_interleave": [
"function",
"(repeats, dim=None, *, output_size=None)",
"Repeat elements of a tensor"
],
"requires_grad": [
"property",
"",
"Is True if gradients need to be computed for this Tensor, False otherwise"
],
"requires_grad_": [
"function",
"(requires_grad=True)",
"Change if autograd should record operations on this tensor: sets this tensor's requires_grad attribute …"
],
"reshape": [
"function",
"(*shape)",
"Returns a tensor with the same data and number of elements as self but with the specified shape"
],
"roll": [
"function",
"(shifts, dims)",
"Roll the tensor input along the given dimension(s)"
],
"round": [
"function",
"(decimals=0)",
"Rounds elements of input to the nearest integer"
],
"rsqrt": [
"function",
"()",
"Returns a new tensor with the reciprocal of the square-root of each of the elements of input"
],
"scatter": [
"function",
"(dim, index, src)",
"Out-of-place version of torch.Tensor.scatter_"
],
"scatter_": [
"function",
"(dim, index, src, *, reduce=None)",
"Writes all values from the tensor src into self at the indices specified in the index tensor"
],
"scatter_add": [
"function",
"(dim, index, src)",
"Out-of-place version of torch.Tensor.scatter_add_"
],
"scatter_add_": [
"function",
"(dim, index, src)",
"Adds all values from the tensor src into self at the indices specified in the index tensor in a similar …"
],
"scatter_reduce": [
"function",
"(dim, index, src, reduce, *, include_self=True)",
"Out-of-place version of torch.Tensor.scatter_reduce_"
],
"select": [
"function",
"(dim, index)",
"Slices the input tensor along the selected dimension at the given index"
],
"shape": [
"property",
"",
"Returns the size of the self tensor"
],
"sigmoid": [
"function",
"()",
"Computes the expit (also known as the logistic sigmoid function) of the elements of input"
],
"sign": [
"function",
"()",
"Returns a new tensor with the signs of the elements of input"
],
"sin": [
"function",
"()",
"Returns a new tensor with the sine of the elements in the input tensor, where each value in this input tensor …"
],
"size": [
"function",
"(dim=None)",
"Returns the size of the self tensor"
],
"softmax": [
"function",
"(dim)",
"Apply a softmax function"
],
"sort": [
"function",
"(dim=-1, descending=False)",
"Sorts the elements of the input tensor along a given dimension in ascending order by value"
],
"split": [
"function",
"(split_size, dim=0)",
"Splits the tensor into chunks"
],
"sqrt": [
"function",
"()",
"Returns a new tensor with the square-root of the elements of input"
],
"square": [
"function",
"()",
"Returns a new tensor with the square of the elements of input"
],
"squeeze": [
"function",
"(dim=None)",
"Returns a tensor with all specified dimensions of input of size 1 removed"
],
"std": [
"function",
"(dim=None, *, correction=1, keepdim=False)",
"Calculates the standard deviation over the dimensions specified by dim"
],
"stride": [
"function",
"(dim)",
"Returns the stride of self tensor"
],
"sub": [
"function",
"(other, *, alpha=1)",
"Subtracts other, scaled by alpha, from input"
],
"sum": [
"function",
"(dim=None, keepdim=False, dtype=None)",
"Returns the sum of all elements in the input tensor"
],
"swapaxes": [
"function",
"(axis0, axis1)",
"Returns a tensor that is a transposed version of input"
],
"T": [
"property",
"",
"Returns a view of this tensor with its dimensions reversed"
],
"tanh": [
"function",
"()",
"Returns a new tensor with the hyperbolic tangent of the elements of input"
],
"tile": [
"function",
"(dims)",
"Constructs a tensor by repeating the elements of input"
],
"to": [
"function",
"(*args, **kwargs)",
"Performs Tensor dtype and/or device conversion"
],
"tolist": [
"function",
"()",
"Returns the tensor as a (nested) list"
],
"topk": [
"function",
"(k, dim=None, largest=True, sorted=True)",
"Returns the k largest elements of the given input tensor along a given dimension"
],
"trace": [
"function",
"()",
"Returns the sum of the elements of the diagonal of the input 2-D matrix"
],
"transpose": [
"function",
"(dim0, dim1)",
"Returns a tensor that is a transposed version of input"
],
"tril": [
"function",
"(diagonal=0)",
"Returns the lower triangular part of the matrix (2-D tensor) or batch of matrices input, the other elements …"
],
"triu": [
"function",
"(diagonal=0)",
"Returns the upper triangular part of a matrix (2-D tensor) or batch of matrices input, the other elements of …"
],
"type": [
"function",
"(dtype=None, non_blocking=False, **kwargs)",
"type(dtype=None, non_blocking=False, **kwargs) -> str or Tensor Returns the type if dtype is not provided, …"
],
"type_as": [
"function",
"(tensor)",
"Returns this tensor cast to the type of the given tensor"
],
"unbind": [
"function",
"(dim=0)",
"Removes a tensor dimension"
],
"unflatten": [
"function",
"(dim, sizes)",
"Expands a dimension of the input tensor over multiple dimensions"
],
"unfold": [
"function",
"(dimension, size, step)",
"Returns a view of the original tensor which contains all slices of size size from self tensor in the …"
],
"unique": [
"function",
"(sorted=True, return_inverse=False, return_counts=False, dim=None)",
"Returns the unique elements of the input tensor"
],
"unsqueeze": [
"function",
"(dim)",
"Returns a new tensor with a dimension of size one inserted at the specified position"
],
"var": [
"function",
"(dim=None, *, correction=1, keepdim=False)",
"Calculates the variance over the dimensions specified by dim"
],
"view": [
"function",
"(*shape)",
"Returns a new tensor with the same data as the self tensor but of a different shape"
],
"view_as": [
"function",
"(other)",
"View this tensor as the same size as other"
],
"zero_": [
"function",
"()",
"Fills self tensor with zeros"
]
}
}
};
