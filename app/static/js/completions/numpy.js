// Made by make.py beside it.
export default {
"version": "2.4.6",
"modules": {
"numpy": {
"abs": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Calculate the absolute value element-wise"
],
"add": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Add arguments element-wise"
],
"all": [
"function",
"(a, axis=None, out=None, keepdims=…, *, where=…)",
"Test whether all array elements along a given axis evaluate to True"
],
"allclose": [
"function",
"(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
"Returns True if two arrays are element-wise equal within a tolerance"
],
"amax": [
"function",
"(a, axis=None, out=None, keepdims=…, initial=…, where=…)",
"Return the maximum of an array or maximum along an axis"
],
"amin": [
"function",
"(a, axis=None, out=None, keepdims=…, initial=…, where=…)",
"Return the minimum of an array or minimum along an axis"
],
"any": [
"function",
"(a, axis=None, out=None, keepdims=…, *, where=…)",
"Test whether any array element along a given axis evaluates to True"
],
"apply_along_axis": [
"function",
"(func1d, axis, arr, *args, **kwargs)",
"Apply a function to 1-D slices along the given axis"
],
"arange": [
"function",
"(start_or_stop, /, stop=None, step=1, *, dtype=None, device=None, like=None)",
"Return evenly spaced values within a given interval"
],
"argmax": [
"function",
"(a, axis=None, out=None, *, keepdims=…)",
"Returns the indices of the maximum values along an axis"
],
"argmin": [
"function",
"(a, axis=None, out=None, *, keepdims=…)",
"Returns the indices of the minimum values along an axis"
],
"argpartition": [
"function",
"(a, kth, axis=-1, kind='introselect', order=None)",
"Perform an indirect partition along the given axis using the algorithm specified by the kind keyword"
],
"argsort": [
"function",
"(a, axis=-1, kind=None, order=None, *, stable=None)",
"Returns the indices that would sort an array"
],
"around": [
"function",
"(a, decimals=0, out=None)",
"Round an array to the given number of decimals"
],
"array": [
"function",
"(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)",
"array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)"
],
"array_equal": [
"function",
"(a1, a2, equal_nan=False)",
"True if two arrays have the same shape and elements, False otherwise"
],
"array_split": [
"function",
"(ary, indices_or_sections, axis=0)",
"Split an array into multiple sub-arrays"
],
"asarray": [
"function",
"(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
"Convert the input to an array"
],
"ascontiguousarray": [
"function",
"(a, dtype=None, *, like=None)",
"Return a contiguous array (ndim >= 1) in memory (C order)"
],
"atleast_1d": [
"function",
"(*arys)",
"Convert inputs to arrays with at least one dimension"
],
"atleast_2d": [
"function",
"(*arys)",
"View inputs as arrays with at least two dimensions"
],
"average": [
"function",
"(a, axis=None, weights=None, returned=False, *, keepdims=…)",
"Compute the weighted average along the specified axis"
],
"bincount": [
"function",
"(x, /, weights=None, minlength=0)",
"Count number of occurrences of each value in array of non-negative ints"
],
"block": [
"function",
"(arrays)",
"Assemble an nd-array from nested lists of blocks"
],
"bool_": [
"class",
"(value=False, /)",
"Boolean type (True or False), stored as a byte"
],
"broadcast_shapes": [
"function",
"(*args)",
"Broadcast the input shapes into a single shape"
],
"broadcast_to": [
"function",
"(array, shape, subok=False)",
"Broadcast an array to a new shape"
],
"cbrt": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the cube-root of an array, element-wise"
],
"ceil": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the ceiling of the input, element-wise"
],
"clip": [
"function",
"(a, a_min=…, a_max=…, out=None, *, min=…, max=…, **kwargs)",
"Clip (limit) the values in an array"
],
"column_stack": [
"function",
"(tup)",
"Stack 1-D arrays as columns into a 2-D array"
],
"complex128": [
"class",
"(real=0, imag=0, /)",
"Complex number type composed of two double-precision floating-point numbers, compatible with Python complex"
],
"complex64": [
"class",
"(real=0, imag=0, /)",
"Complex number type composed of two single-precision floating-point numbers"
],
"concatenate": [
"function",
"(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')",
"Join a sequence of arrays along an existing axis"
],
"convolve": [
"function",
"(a, v, mode='full')",
"Returns the discrete, linear convolution of two one-dimensional sequences"
],
"copy": [
"function",
"(a, order='K', subok=False)",
"Return an array copy of the given object"
],
"correlate": [
"function",
"(a, v, mode='valid')",
"Cross-correlation of two 1-dimensional sequences"
],
"cos": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Cosine element-wise"
],
"cosh": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Hyperbolic cosine, element-wise"
],
"cross": [
"function",
"(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)",
"Return the cross product of two (arrays of) vectors"
],
"cumprod": [
"function",
"(a, axis=None, dtype=None, out=None)",
"Return the cumulative product of elements along a given axis"
],
"cumsum": [
"function",
"(a, axis=None, dtype=None, out=None)",
"Return the cumulative sum of the elements along a given axis"
],
"deg2rad": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Convert angles from degrees to radians"
],
"diag": [
"function",
"(v, k=0)",
"Extract a diagonal or construct a diagonal array"
],
"diagonal": [
"function",
"(a, offset=0, axis1=0, axis2=1)",
"Return specified diagonals"
],
"diff": [
"function",
"(a, n=1, axis=-1, prepend=…, append=…)",
"Calculate the n-th discrete difference along the given axis"
],
"digitize": [
"function",
"(x, bins, right=False)",
"Return the indices of the bins to which each value in input array belongs"
],
"divide": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Divide arguments element-wise"
],
"dot": [
"function",
"(a, b, out=None)",
"Dot product of two arrays"
],
"dtype": [
"class",
"(dtype, align=False, copy=False, **kwargs)",
"dtype(dtype, align=False, copy=False, **kwargs) --"
],
"e": [
"constant",
"",
"2.718281828459045"
],
"einsum": [
"function",
"(*operands, out=None, optimize=False, **kwargs)",
"einsum(subscripts, *operands, out=None, dtype=None, order='K', casting='safe', optimize=False)"
],
"empty": [
"function",
"(shape, dtype=None, order='C', *, device=None, like=None)",
"Return a new array of given shape and type, without initializing entries"
],
"empty_like": [
"function",
"(prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None)",
"Return a new array with the same shape and type as a given array"
],
"equal": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return (x1 == x2) element-wise"
],
"errstate": [
"class",
"(*, call=…, all=None, divide=None, over=None, under=None, invalid=None)",
"Context manager for floating-point error handling"
],
"exp": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Calculate the exponential of all elements in the input array"
],
"exp2": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Calculate 2**p for all p in the input array"
],
"expand_dims": [
"function",
"(a, axis)",
"Expand the shape of an array"
],
"expm1": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Calculate exp(x) - 1 for all elements in the array"
],
"eye": [
"function",
"(N, M=None, k=0, dtype=float, order='C', *, device=None, like=None)",
"Return a 2-D array with ones on the diagonal and zeros elsewhere"
],
"fft": [
"namespace",
"",
""
],
"finfo": [
"class",
"(dtype)",
"Machine limits for floating point types"
],
"flatnonzero": [
"function",
"(a)",
"Return indices that are non-zero in the flattened version of a"
],
"flip": [
"function",
"(m, axis=None)",
"Reverse the order of elements in an array along the given axis"
],
"fliplr": [
"function",
"(m)",
"Reverse the order of elements along axis 1 (left/right)"
],
"flipud": [
"function",
"(m)",
"Reverse the order of elements along axis 0 (up/down)"
],
"float16": [
"class",
"(value=0, /)",
"Half-precision floating-point number type"
],
"float32": [
"class",
"(value=0, /)",
"Single-precision floating-point number type, compatible with C float"
],
"float64": [
"class",
"(value=0, /)",
"Double-precision floating-point number type, compatible with Python float and C double"
],
"floor": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the floor of the input, element-wise"
],
"floor_divide": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return the largest integer smaller or equal to the division of the inputs"
],
"fromfunction": [
"function",
"(function, shape, *, dtype=float, like=None, **kwargs)",
"Construct an array by executing a function over each coordinate"
],
"full": [
"function",
"(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
"Return a new array of given shape and type, filled with fill_value"
],
"full_like": [
"function",
"(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
"Return a full array with the same shape and type as a given array"
],
"gradient": [
"function",
"(f, *varargs, axis=None, edge_order=1)",
"Return the gradient of an N-dimensional array"
],
"greater": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return the truth value of (x1 > x2) element-wise"
],
"greater_equal": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return the truth value of (x1 >= x2) element-wise"
],
"histogram": [
"function",
"(a, bins=10, range=None, density=None, weights=None)",
"Compute the histogram of a dataset"
],
"hstack": [
"function",
"(tup, *, dtype=None, casting='same_kind')",
"Stack arrays in sequence horizontally (column wise)"
],
"hypot": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Given the \"legs\" of a right triangle, return its hypotenuse"
],
"identity": [
"function",
"(n, dtype=None, *, like=None)",
"Return the identity array"
],
"iinfo": [
"class",
"(int_type)",
"Machine limits for integer types"
],
"indices": [
"function",
"(dimensions, dtype=int, sparse=False)",
"Return an array representing the indices of a grid"
],
"inf": [
"constant",
"",
"inf"
],
"inner": [
"function",
"(a, b, /)",
"Inner product of two arrays"
],
"int16": [
"class",
"(value=0, /)",
"Signed integer type, compatible with C short"
],
"int32": [
"class",
"(value=0, /)",
"Signed integer type, compatible with C int"
],
"int64": [
"class",
"(value=0, /)",
"Signed integer type, compatible with C long"
],
"int8": [
"class",
"(value=0, /)",
"Signed integer type, compatible with C char"
],
"interp": [
"function",
"(x, xp, fp, left=None, right=None, period=None)",
"One-dimensional linear interpolation for monotonically increasing sample points"
],
"intersect1d": [
"function",
"(ar1, ar2, assume_unique=False, return_indices=False)",
"Find the intersection of two arrays"
],
"invert": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Compute bit-wise inversion, or bit-wise NOT, element-wise"
],
"isclose": [
"function",
"(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
"Returns a boolean array where two arrays are element-wise equal within a tolerance"
],
"isfinite": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Test element-wise for finiteness (not infinity and not Not a Number)"
],
"isin": [
"function",
"(element, test_elements, assume_unique=False, invert=False, *, kind=None)",
"Calculates element in test_elements, broadcasting over element only"
],
"isinf": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Test element-wise for positive or negative infinity"
],
"isnan": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Test element-wise for NaN and return result as a boolean array"
],
"kron": [
"function",
"(a, b)",
"Kronecker product of two arrays"
],
"less": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return the truth value of (x1 < x2) element-wise"
],
"less_equal": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return the truth value of (x1 <= x2) element-wise"
],
"lexsort": [
"function",
"(keys, axis=-1)",
"Perform an indirect stable sort using a sequence of keys"
],
"linalg": [
"namespace",
"",
""
],
"linspace": [
"function",
"(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
"Return evenly spaced numbers over a specified interval"
],
"log": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Natural logarithm, element-wise"
],
"log10": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the base 10 logarithm of the input array, element-wise"
],
"log1p": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the natural logarithm of one plus the input array, element-wise"
],
"log2": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Base-2 logarithm of x"
],
"logaddexp": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Logarithm of the sum of exponentiations of the inputs"
],
"logical_and": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Compute the truth value of x1 AND x2 element-wise"
],
"logical_not": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Compute the truth value of NOT x element-wise"
],
"logical_or": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Compute the truth value of x1 OR x2 element-wise"
],
"logical_xor": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Compute the truth value of x1 XOR x2, element-wise"
],
"logspace": [
"function",
"(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
"Return numbers spaced evenly on a log scale"
],
"matmul": [
"function",
"(x1, x2, /, out=None, *, axes=…, axis=…, keepdims=False, dtype=None)",
"Matrix product of two arrays"
],
"max": [
"function",
"(a, axis=None, out=None, keepdims=…, initial=…, where=…)",
"Return the maximum of an array or maximum along an axis"
],
"maximum": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Element-wise maximum of array elements"
],
"mean": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=…, *, where=…)",
"Compute the arithmetic mean along the specified axis"
],
"median": [
"function",
"(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
"Compute the median along the specified axis"
],
"meshgrid": [
"function",
"(*xi, copy=True, sparse=False, indexing='xy')",
"Return a tuple of coordinate matrices from coordinate vectors"
],
"mgrid": [
"constant",
"",
""
],
"min": [
"function",
"(a, axis=None, out=None, keepdims=…, initial=…, where=…)",
"Return the minimum of an array or minimum along an axis"
],
"minimum": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Element-wise minimum of array elements"
],
"mod": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Returns the element-wise remainder of division"
],
"moveaxis": [
"function",
"(a, source, destination)",
"Move axes of an array to new positions"
],
"multiply": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Multiply arguments element-wise"
],
"nan": [
"constant",
"",
"nan"
],
"nan_to_num": [
"function",
"(x, copy=True, nan=0.0, posinf=None, neginf=None)",
"Replace NaN with zero and infinity with large finite numbers (default behaviour) or with the numbers defined …"
],
"nanmax": [
"function",
"(a, axis=None, out=None, keepdims=…, initial=…, where=…)",
"Return the maximum of an array or maximum along an axis, ignoring any NaNs"
],
"nanmean": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=…, *, where=…)",
"Compute the arithmetic mean along the specified axis, ignoring NaNs"
],
"nanmin": [
"function",
"(a, axis=None, out=None, keepdims=…, initial=…, where=…)",
"Return minimum of an array or minimum along an axis, ignoring any NaNs"
],
"nansum": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=…, initial=…, where=…)",
"Return the sum of array elements over a given axis treating Not a Numbers (NaNs) as zero"
],
"ndarray": [
"class",
"(shape, dtype=None, buffer=None, offset=0, strides=None, order=None)",
"An array object represents a multidimensional, homogeneous array of fixed-size items"
],
"ndindex": [
"class",
"(*shape)",
"An N-dimensional iterator object to index arrays"
],
"negative": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Numerical negative, element-wise"
],
"newaxis": [
"constant",
"",
""
],
"nonzero": [
"function",
"(a)",
"Return the indices of the elements that are non-zero"
],
"not_equal": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Return (x1 != x2) element-wise"
],
"ogrid": [
"constant",
"",
""
],
"ones": [
"function",
"(shape, dtype=None, order='C', *, device=None, like=None)",
"Return a new array of given shape and type, filled with ones"
],
"ones_like": [
"function",
"(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
"Return an array of ones with the same shape and type as a given array"
],
"outer": [
"function",
"(a, b, out=None)",
"Compute the outer product of two vectors"
],
"pad": [
"function",
"(array, pad_width, mode='constant', **kwargs)",
"Pad an array"
],
"partition": [
"function",
"(a, kth, axis=-1, kind='introselect', order=None)",
"Return a partitioned copy of an array"
],
"percentile": [
"function",
"(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)",
"Compute the q-th percentile of the data along the specified axis"
],
"pi": [
"constant",
"",
"3.141592653589793"
],
"power": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"First array elements raised to powers from second array, element-wise"
],
"prod": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=…, initial=…, where=…)",
"Return the product of array elements over a given axis"
],
"ptp": [
"function",
"(a, axis=None, out=None, keepdims=…)",
"Range of values (maximum - minimum) along an axis"
],
"put_along_axis": [
"function",
"(arr, indices, values, axis)",
"Put values into the destination array by matching 1d index and data slices"
],
"quantile": [
"function",
"(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)",
"Compute the q-th quantile of the data along the specified axis"
],
"r_": [
"constant",
"",
""
],
"random": [
"namespace",
"",
""
],
"ravel": [
"function",
"(a, order='C')",
"Return a contiguous flattened array"
],
"reciprocal": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the reciprocal of the argument, element-wise"
],
"repeat": [
"function",
"(a, repeats, axis=None)",
"Repeat each element of an array after themselves"
],
"reshape": [
"function",
"(a, /, shape, order='C', *, copy=None)",
"Gives a new shape to an array without changing its data"
],
"rint": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Round elements of the array to the nearest integer"
],
"roll": [
"function",
"(a, shift, axis=None)",
"Roll array elements along a given axis"
],
"rot90": [
"function",
"(m, k=1, axes=(0, 1))",
"Rotate an array by 90 degrees in the plane specified by axes"
],
"round": [
"function",
"(a, decimals=0, out=None)",
"Evenly round to the given number of decimals"
],
"searchsorted": [
"function",
"(a, v, side='left', sorter=None)",
"Find indices where elements should be inserted to maintain order"
],
"sign": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Returns an element-wise indication of the sign of a number"
],
"sin": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Trigonometric sine, element-wise"
],
"sinc": [
"function",
"(x)",
"Return the normalized sinc function"
],
"sinh": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Hyperbolic sine, element-wise"
],
"sort": [
"function",
"(a, axis=-1, kind=None, order=None, *, stable=None)",
"Return a sorted copy of an array"
],
"split": [
"function",
"(ary, indices_or_sections, axis=0)",
"Split an array into multiple sub-arrays as views into ary"
],
"sqrt": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the non-negative square-root of an array, element-wise"
],
"square": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Return the element-wise square of the input"
],
"squeeze": [
"function",
"(a, axis=None)",
"Remove axes of length one from a"
],
"stack": [
"function",
"(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')",
"Join a sequence of arrays along a new axis"
],
"std": [
"function",
"(a, axis=None, dtype=None, out=None, ddof=0, keepdims=…, *, where=…, mean=…, correction=…)",
"Compute the standard deviation along the specified axis"
],
"subtract": [
"function",
"(x1, x2, /, out=None, *, where=True, dtype=None)",
"Subtract arguments, element-wise"
],
"sum": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=…, initial=…, where=…)",
"Sum of array elements over a given axis"
],
"swapaxes": [
"function",
"(a, axis1, axis2)",
"Interchange two axes of an array"
],
"take": [
"function",
"(a, indices, axis=None, out=None, mode='raise')",
"Take elements from an array along an axis"
],
"take_along_axis": [
"function",
"(arr, indices, axis=-1)",
"Take values from the input array by matching 1d index and data slices"
],
"tan": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Compute tangent element-wise"
],
"tanh": [
"function",
"(x, /, out=None, *, where=True, dtype=None)",
"Compute hyperbolic tangent element-wise"
],
"tensordot": [
"function",
"(a, b, axes=2)",
"Compute tensor dot product along specified axes"
],
"tile": [
"function",
"(A, reps)",
"Construct an array by repeating A the number of times given by reps"
],
"trace": [
"function",
"(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
"Return the sum along diagonals of the array"
],
"transpose": [
"function",
"(a, axes=None)",
"Returns an array with axes transposed"
],
"trapezoid": [
"function",
"(y, x=None, dx=1.0, axis=-1)",
"Integrate along the given axis using the composite trapezoidal rule"
],
"tri": [
"function",
"(N, M=None, k=0, dtype=float, *, like=None)",
"An array with ones at and below the given diagonal and zeros elsewhere"
],
"tril": [
"function",
"(m, k=0)",
"Lower triangle of an array"
],
"tril_indices": [
"function",
"(n, k=0, m=None)",
"Return the indices for the lower-triangle of an (n, m) array"
],
"triu": [
"function",
"(m, k=0)",
"Upper triangle of an array"
],
"triu_indices": [
"function",
"(n, k=0, m=None)",
"Return the indices for the upper-triangle of an (n, m) array"
],
"uint32": [
"class",
"(value=0, /)",
"Unsigned integer type, compatible with C unsigned int"
],
"uint8": [
"class",
"(value=0, /)",
"Unsigned integer type, compatible with C unsigned char"
],
"unique": [
"function",
"(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True)",
"Find the unique elements of an array"
],
"unravel_index": [
"function",
"(indices, shape, order='C')",
"Converts a flat index or array of flat indices into a tuple of coordinate arrays"
],
"var": [
"function",
"(a, axis=None, dtype=None, out=None, ddof=0, keepdims=…, *, where=…, mean=…, correction=…)",
"Compute the variance along the specified axis"
],
"vdot": [
"function",
"(a, b, /)",
"Return the dot product of two vectors"
],
"vectorize": [
"class",
"(pyfunc=…, otypes=None, doc=None, excluded=None, cache=False, signature=None)",
"vectorize(pyfunc=np._NoValue, otypes=None, doc=None, excluded=None, cache=False, signature=None)"
],
"vstack": [
"function",
"(tup, *, dtype=None, casting='same_kind')",
"Stack arrays in sequence vertically (row wise)"
],
"where": [
"function",
"(condition, x=None, y=None, /)",
"Return elements chosen from x or y depending on condition"
],
"zeros": [
"function",
"(shape, dtype=None, order='C', *, device=None, like=None)",
"Return a new array of given shape and type, filled with zeros"
],
"zeros_like": [
"function",
"(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
"Return an array of zeros with the same shape and type as a given array"
]
},
"numpy.linalg": {
"cholesky": [
"function",
"(a, /, *, upper=False)",
"Cholesky decomposition"
],
"det": [
"function",
"(a)",
"Compute the determinant of an array"
],
"eig": [
"function",
"(a)",
"Compute the eigenvalues and right eigenvectors of a square array"
],
"eigh": [
"function",
"(a, UPLO='L')",
"Return the eigenvalues and eigenvectors of a complex Hermitian (conjugate symmetric) or a real symmetric …"
],
"inv": [
"function",
"(a)",
"Compute the inverse of a matrix"
],
"lstsq": [
"function",
"(a, b, rcond=None)",
"Return the least-squares solution to a linear matrix equation"
],
"matrix_power": [
"function",
"(a, n)",
"Raise a square matrix to the (integer) power n"
],
"matrix_rank": [
"function",
"(A, tol=None, hermitian=False, *, rtol=None)",
"Return matrix rank of array using SVD method"
],
"norm": [
"function",
"(x, ord=None, axis=None, keepdims=False)",
"Matrix or vector norm"
],
"pinv": [
"function",
"(a, rcond=None, hermitian=False, *, rtol=…)",
"Compute the (Moore-Penrose) pseudo-inverse of a matrix"
],
"qr": [
"function",
"(a, mode='reduced')",
"Compute the qr factorization of a matrix"
],
"slogdet": [
"function",
"(a)",
"Compute the sign and (natural) logarithm of the determinant of an array"
],
"solve": [
"function",
"(a, b)",
"Solve a linear matrix equation, or system of linear scalar equations"
],
"svd": [
"function",
"(a, full_matrices=True, compute_uv=True, hermitian=False)",
"Singular Value Decomposition"
]
},
"numpy.random": {
"default_rng": [
"function",
"(seed=None)",
"Construct a new Generator with the default BitGenerator (PCG64)"
],
"Generator": [
"class",
"(bit_generator)",
"Container for the BitGenerators"
],
"PCG64": [
"class",
"(seed=None)",
"BitGenerator for the PCG-64 pseudo-random number generator"
],
"seed": [
"function",
"(seed=None)",
"Reseed the singleton RandomState instance"
]
},
"numpy.random.Generator": {
"beta": [
"function",
"(a, b, size=None)",
"Draw samples from a Beta distribution"
],
"binomial": [
"function",
"(n, p, size=None)",
"Draw samples from a binomial distribution"
],
"choice": [
"function",
"(a, size=None, replace=True, p=None, axis=0, shuffle=True)",
"Generates a random sample from a given array"
],
"exponential": [
"function",
"(scale=1.0, size=None)",
"Draw samples from an exponential distribution"
],
"gamma": [
"function",
"(shape, scale=1.0, size=None)",
"Draw samples from a Gamma distribution"
],
"integers": [
"function",
"(low, high=None, size=None, dtype=int64, endpoint=False)",
"Return random integers from low (inclusive) to high (exclusive), or if endpoint=True, low (inclusive) to high …"
],
"multivariate_normal": [
"function",
"(mean, cov, size=None, check_valid='warn', tol=1e-08, *, method='svd')",
"multivariate_normal(mean, cov, size=None, check_valid='warn', tol=1e-8, *, method='svd')"
],
"normal": [
"function",
"(loc=0.0, scale=1.0, size=None)",
"Draw random samples from a normal (Gaussian) distribution"
],
"permutation": [
"function",
"(x, axis=0)",
"Randomly permute a sequence, or return a permuted range"
],
"permuted": [
"function",
"(x, *, axis=None, out=None)",
"Randomly permute x along axis axis"
],
"poisson": [
"function",
"(lam=1.0, size=None)",
"Draw samples from a Poisson distribution"
],
"random": [
"function",
"(size=None, dtype=float64, out=None)",
"Return random floats in the half-open interval [0.0, 1.0)"
],
"shuffle": [
"function",
"(x, axis=0)",
"Modify an array or sequence in-place by shuffling its contents"
],
"standard_normal": [
"function",
"(size=None, dtype=float64, out=None)",
"Draw samples from a standard Normal distribution (mean=0, stdev=1)"
],
"uniform": [
"function",
"(low=0.0, high=1.0, size=None)",
"Draw samples from a uniform distribution"
]
},
"numpy.fft": {
"fft": [
"function",
"(a, n=None, axis=-1, norm=None, out=None)",
"Compute the one-dimensional discrete Fourier Transform"
],
"fft2": [
"function",
"(a, s=None, axes=(-2, -1), norm=None, out=None)",
"Compute the 2-dimensional discrete Fourier Transform"
],
"fftfreq": [
"function",
"(n, d=1.0, device=None)",
"Return the Discrete Fourier Transform sample frequencies"
],
"fftshift": [
"function",
"(x, axes=None)",
"Shift the zero-frequency component to the center of the spectrum"
],
"ifft": [
"function",
"(a, n=None, axis=-1, norm=None, out=None)",
"Compute the one-dimensional inverse discrete Fourier Transform"
],
"ifft2": [
"function",
"(a, s=None, axes=(-2, -1), norm=None, out=None)",
"Compute the 2-dimensional inverse discrete Fourier Transform"
],
"irfft": [
"function",
"(a, n=None, axis=-1, norm=None, out=None)",
"Computes the inverse of rfft"
],
"rfft": [
"function",
"(a, n=None, axis=-1, norm=None, out=None)",
"Compute the one-dimensional discrete Fourier Transform for real input"
]
},
"numpy.ndarray": {
"all": [
"function",
"(axis=None, out=None, keepdims=False, *, where=True)",
"Returns True if all elements evaluate to True"
],
"any": [
"function",
"(axis=None, out=None, keepdims=False, *, where=True)",
"Returns True if any of the elements of a evaluate to True"
],
"argmax": [
"function",
"(axis=None, out=None, *, keepdims=False)",
"Return indices of the maximum values along the given axis"
],
"argmin": [
"function",
"(axis=None, out=None, *, keepdims=False)",
"Return indices of the minimum values along the given axis"
],
"argsort": [
"function",
"(axis=-1, kind=None, order=None, *, stable=None)",
"Returns the indices that would sort this array"
],
"astype": [
"function",
"(dtype, order='K', casting='unsafe', subok=True, copy=True)",
"Copy of the array, cast to a specified type"
],
"clip": [
"function",
"(min=None, max=None, out=None, **kwargs)",
"Return an array whose values are limited to [min, max]"
],
"conj": [
"function",
"()",
"Complex-conjugate all elements"
],
"copy": [
"function",
"(order='C')",
"Return a copy of the array"
],
"cumprod": [
"function",
"(axis=None, dtype=None, out=None)",
"Return the cumulative product of the elements along the given axis"
],
"cumsum": [
"function",
"(axis=None, dtype=None, out=None)",
"Return the cumulative sum of the elements along the given axis"
],
"diagonal": [
"function",
"(offset=0, axis1=0, axis2=1)",
"Return specified diagonals"
],
"dot": [
"function",
"(other, /, out=None)",
"Refer to numpy.dot for full documentation"
],
"dtype": [
"property",
"",
"Data-type of the array's elements"
],
"fill": [
"function",
"(value)",
"Fill the array with a scalar value"
],
"flatten": [
"function",
"(order='C')",
"Return a copy of the array collapsed into one dimension"
],
"imag": [
"property",
"",
"The imaginary part of the array"
],
"item": [
"function",
"(*args)",
"Copy an element of an array to a standard Python scalar and return it"
],
"itemsize": [
"property",
"",
"Length of one array element in bytes"
],
"max": [
"function",
"(axis=None, out=None, **kwargs)",
"Return the maximum along a given axis"
],
"mean": [
"function",
"(axis=None, dtype=None, out=None, **kwargs)",
"Returns the average of the array elements along given axis"
],
"min": [
"function",
"(axis=None, out=None, **kwargs)",
"Return the minimum along a given axis"
],
"nbytes": [
"property",
"",
"Total bytes consumed by the elements of the array"
],
"ndim": [
"property",
"",
"Number of array dimensions"
],
"nonzero": [
"function",
"()",
"Return the indices of the elements that are non-zero"
],
"partition": [
"function",
"(kth, /, axis=-1, kind='introselect', order=None)",
"Partially sorts the elements in the array in such a way that the value of the element in k-th position is in …"
],
"prod": [
"function",
"(axis=None, dtype=None, out=None, **kwargs)",
"Return the product of the array elements over the given axis"
],
"ravel": [
"function",
"(order='C')",
"Return a flattened array"
],
"real": [
"property",
"",
"The real part of the array"
],
"repeat": [
"function",
"(repeats, /, axis=None)",
"Repeat elements of an array"
],
"reshape": [
"function",
"(*shape, order='C', copy=None)",
"a.reshape(shape, /, *, order='C', copy=None) a.reshape(*shape, order='C', copy=None)"
],
"round": [
"function",
"(decimals=0, out=None)",
"Return a with each element rounded to the given number of decimals"
],
"searchsorted": [
"function",
"(v, /, side='left', sorter=None)",
"Find indices where elements of v should be inserted in a to maintain order"
],
"shape": [
"property",
"",
"Tuple of array dimensions"
],
"size": [
"property",
"",
"Number of elements in the array"
],
"sort": [
"function",
"(axis=-1, kind=None, order=None, *, stable=None)",
"Sort an array in-place"
],
"squeeze": [
"function",
"(axis=None)",
"Remove axes of length one from a"
],
"std": [
"function",
"(axis=None, dtype=None, out=None, ddof=0, **kwargs)",
"Returns the standard deviation of the array elements along given axis"
],
"strides": [
"property",
"",
"Tuple of bytes to step in each dimension when traversing an array"
],
"sum": [
"function",
"(axis=None, dtype=None, out=None, **kwargs)",
"Return the sum of the array elements over the given axis"
],
"swapaxes": [
"function",
"(axis1, axis2, /)",
"Return a view of the array with axis1 and axis2 interchanged"
],
"T": [
"property",
"",
"View of the transposed array"
],
"take": [
"function",
"(indices, /, axis=None, out=None, mode='raise')",
"Return an array formed from the elements of a at the given indices"
],
"tobytes": [
"function",
"(order='C')",
"Construct Python bytes containing the raw data bytes in the array"
],
"tolist": [
"function",
"()",
"Return the array as an a.ndim-levels deep nested list of Python scalars"
],
"trace": [
"function",
"(offset=0, axis1=0, axis2=1, dtype=None, out=None)",
"Return the sum along diagonals of the array"
],
"transpose": [
"function",
"(*axes)",
"Returns a view of the array with axes transposed"
],
"var": [
"function",
"(axis=None, dtype=None, out=None, ddof=0, **kwargs)",
"Returns the variance of the array elements, along given axis"
],
"view": [
"function",
"([dtype][, type])",
"New view of array with the same data"
]
}
}
};
