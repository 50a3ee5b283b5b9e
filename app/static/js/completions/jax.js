// Made by make.py beside it.
export default {
"version": "0.10.2",
"modules": {
"jax": {
"Array": [
"class",
"()",
"Array base class for JAX"
],
"block_until_ready": [
"function",
"(x)",
"Tries to call a block_until_ready method on pytree leaves"
],
"checkpoint": [
"function",
"(fun, *, prevent_cse=True, policy=None, static_argnums=(), static_argnames=(), concrete=Deprecated)",
"Make fun recompute internal linearization points when differentiated"
],
"custom_jvp": [
"class",
"(fun, nondiff_argnums=(), nondiff_argnames=())",
"Set up a JAX-transformable function for a custom JVP rule definition"
],
"custom_vjp": [
"class",
"(fun, nondiff_argnums=(), nondiff_argnames=())",
"Set up a JAX-transformable function for a custom VJP rule definition"
],
"debug": [
"namespace",
"",
""
],
"device_put": [
"function",
"(x, device=None, *, src=None, donate=False, may_alias=None)",
"Transfers x to device"
],
"eval_shape": [
"function",
"(fun, *args, **kwargs)",
"Compute the shape/dtype of fun without any FLOPs"
],
"grad": [
"function",
"(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=())",
"Creates a function that evaluates the gradient of fun"
],
"hessian": [
"function",
"(fun, argnums=0, has_aux=False, holomorphic=False)",
"Hessian of fun as a dense array"
],
"jacfwd": [
"function",
"(fun, argnums=0, has_aux=False, holomorphic=False)",
"Jacobian of fun evaluated column-by-column using forward-mode AD."
],
"jacrev": [
"function",
"(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False)",
"Jacobian of fun evaluated row-by-row using reverse-mode AD."
],
"jit": [
"function",
"(fun=…, /, *, in_shardings=UnspecifiedValue, out_shardings=UnspecifiedValue, static_argnums=None, static_argnames=None, donate_argnums=None, donate_argnames=None, keep_unused=False, device=None, backend=None, inline=False, …)",
"Sets up fun for just-in-time compilation with XLA."
],
"jvp": [
"function",
"(fun, primals, tangents, has_aux=False)",
"Computes a (forward-mode) Jacobian-vector product of fun"
],
"lax": [
"namespace",
"",
""
],
"linearize": [
"function",
"(fun, *primals, has_aux=False)",
"Produces a linear approximation to fun using jvp and partial eval"
],
"make_jaxpr": [
"function",
"(fun, static_argnums=(), axis_env=None, return_shape=False)",
"Create a function that returns the jaxpr of fun given example args"
],
"nn": [
"namespace",
"",
""
],
"numpy": [
"namespace",
"",
""
],
"random": [
"namespace",
"",
""
],
"scipy": [
"namespace",
"",
""
],
"tree": [
"namespace",
"",
""
],
"tree_util": [
"namespace",
"",
""
],
"value_and_grad": [
"function",
"(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=())",
"Create a function that evaluates both fun and the gradient of fun"
],
"vjp": [
"function",
"(fun, *primals, has_aux=False, reduce_axes=())",
"Compute a (reverse-mode) vector-Jacobian product of fun"
],
"vmap": [
"function",
"(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, spmd_axis_name=None, sum_match=False)",
"Vectorizing map"
]
},
"jax.numpy": {
"abs": [
"function",
"(x, /)",
"Calculate the absolute value element-wise"
],
"add": [
"function",
"(*args, out=None, where=None)",
"Add two arrays element-wise"
],
"all": [
"function",
"(a, axis=None, out=None, keepdims=False, *, where=None)",
"Test whether all array elements along a given axis evaluate to True"
],
"allclose": [
"function",
"(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
"Check if two arrays are element-wise approximately equal within a tolerance"
],
"amax": [
"function",
"(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the maximum of the array elements along a given axis"
],
"amin": [
"function",
"(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the minimum of array elements along a given axis"
],
"any": [
"function",
"(a, axis=None, out=None, keepdims=False, *, where=None)",
"Test whether any of the array elements along a given axis evaluate to True"
],
"apply_along_axis": [
"function",
"(func1d, axis, arr, *args, **kwargs)",
"Apply a function to 1D array slices along an axis"
],
"arange": [
"function",
"(start, stop=None, step=None, dtype=None, *, device=None, out_sharding=None)",
"Create an array of evenly-spaced values"
],
"argmax": [
"function",
"(a, axis=None, out=None, keepdims=None)",
"Return the index of the maximum value of an array"
],
"argmin": [
"function",
"(a, axis=None, out=None, keepdims=None)",
"Return the index of the minimum value of an array"
],
"argsort": [
"function",
"(a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None)",
"Return indices that sort an array"
],
"around": [
"function",
"(a, decimals=0, out=None)",
"Round input evenly to the given number of decimals"
],
"array": [
"function",
"(object, dtype=None, *args, copy=True, order='K', ndmin=0, device=None, out_sharding=None)",
"Convert an object to a JAX array"
],
"array_equal": [
"function",
"(a1, a2, equal_nan=False)",
"Check if two arrays are element-wise equal"
],
"array_split": [
"function",
"(ary, indices_or_sections, axis=0)",
"Split an array into sub-arrays"
],
"asarray": [
"function",
"(a, dtype=None, order=None, *, copy=None, device=None, out_sharding=None)",
"Convert an object to a JAX array"
],
"atleast_1d": [
"function",
"(*arys)",
"Convert inputs to arrays with at least 1 dimension"
],
"atleast_2d": [
"function",
"(*arys)",
"Convert inputs to arrays with at least 2 dimensions"
],
"average": [
"function",
"(a, axis=None, weights=None, returned=False, keepdims=False)",
"Compute the weighed average"
],
"bfloat16": [
"class",
"",
"A JAX scalar constructor of type bfloat16."
],
"bincount": [
"function",
"(x, weights=None, minlength=0, *, length=None, out_sharding=None)",
"Count the number of occurrences of each value in an integer array"
],
"block": [
"function",
"(arrays)",
"Create an array from a list of blocks"
],
"bool_": [
"class",
"",
"A JAX scalar constructor of type bool"
],
"broadcast_shapes": [
"function",
"(*shapes)",
"Broadcast input shapes to a common output shape"
],
"broadcast_to": [
"function",
"(array, shape, *, out_sharding=None)",
"Broadcast an array to a specified shape"
],
"cbrt": [
"function",
"(x, /)",
"Calculates element-wise cube root of the input array"
],
"ceil": [
"function",
"(x, /)",
"Round input to the nearest integer upwards"
],
"clip": [
"function",
"(arr=None, /, min=None, max=None)",
"Clip array values to a specified range"
],
"column_stack": [
"function",
"(tup)",
"Stack arrays column-wise"
],
"complex128": [
"class",
"",
"A JAX scalar constructor of type complex128."
],
"complex64": [
"class",
"",
"A JAX scalar constructor of type complex64."
],
"concatenate": [
"function",
"(arrays, axis=0, dtype=None)",
"Join arrays along an existing axis"
],
"convolve": [
"function",
"(a, v, mode='full', *, precision=None, preferred_element_type=None)",
"Convolution of two one dimensional arrays"
],
"copy": [
"function",
"(a, order=None)",
"Return a copy of the array"
],
"correlate": [
"function",
"(a, v, mode='valid', *, precision=None, preferred_element_type=None)",
"Correlation of two one dimensional arrays"
],
"cos": [
"function",
"(x, /)",
"Compute a trigonometric cosine of each element of input"
],
"cosh": [
"function",
"(x, /)",
"Calculate element-wise hyperbolic cosine of input"
],
"cross": [
"function",
"(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)",
"Compute the (batched) cross product of two arrays"
],
"cumprod": [
"function",
"(a, axis=None, dtype=None, out=None)",
"Cumulative product of elements along an axis"
],
"cumsum": [
"function",
"(a, axis=None, dtype=None, out=None)",
"Cumulative sum of elements along an axis"
],
"deg2rad": [
"function",
"(x, /)",
"Convert angles from degrees to radians"
],
"diag": [
"function",
"(v, k=0)",
"Returns the specified diagonal or constructs a diagonal array"
],
"diagonal": [
"function",
"(a, offset=0, axis1=0, axis2=1)",
"Returns the specified diagonal of an array"
],
"diff": [
"function",
"(a, n=1, axis=-1, prepend=None, append=None)",
"Calculate n-th order difference between array elements along a given axis"
],
"digitize": [
"function",
"(x, bins, right=False, *, method=None)",
"Convert an array to bin indices"
],
"divide": [
"function",
"(x1, x2, /)",
"Calculates the division of x1 by x2 element-wise"
],
"dot": [
"function",
"(a, b, *, precision=None, preferred_element_type=None, out_sharding=None)",
"Compute the dot product of two arrays"
],
"e": [
"constant",
"",
"2.718281828459045"
],
"einsum": [
"function",
"(subscripts, /, *operands, out=None, optimize='auto', precision=None, preferred_element_type=None, out_sharding=None)",
"Einstein summation"
],
"empty": [
"function",
"(shape, dtype=None, *, device=None, out_sharding=None)",
"Create an empty array"
],
"empty_like": [
"function",
"(prototype, dtype=None, shape=None, *, device=None)",
"Create an empty array with the same shape and dtype as an array"
],
"equal": [
"function",
"(x, y, /)",
"Returns element-wise truth value of x == y"
],
"exp": [
"function",
"(x, /)",
"Calculate element-wise exponential of the input"
],
"exp2": [
"function",
"(x, /)",
"Calculate element-wise base-2 exponential of input"
],
"expand_dims": [
"function",
"(a, axis)",
"Insert dimensions of length 1 into array"
],
"expm1": [
"function",
"(x, /)",
"Calculate exp(x)-1 of each element of the input"
],
"eye": [
"function",
"(N, M=None, k=0, dtype=None, *, device=None)",
"Create a square or rectangular identity matrix"
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
"(a, *, size=None, fill_value=None)",
"Return indices of nonzero elements in a flattened array"
],
"flip": [
"function",
"(m, axis=None)",
"Reverse the order of elements of an array along the given axis"
],
"float16": [
"class",
"",
"A JAX scalar constructor of type float16."
],
"float32": [
"class",
"",
"A JAX scalar constructor of type float32."
],
"float64": [
"class",
"",
"A JAX scalar constructor of type float64."
],
"floor": [
"function",
"(x, /)",
"Round input to the nearest integer downwards"
],
"floor_divide": [
"function",
"(x1, x2, /)",
"Calculates the floor division of x1 by x2 element-wise"
],
"full": [
"function",
"(shape, fill_value, dtype=None, *, device=None, out_sharding=None)",
"Create an array full of a specified value"
],
"full_like": [
"function",
"(a, fill_value, dtype=None, shape=None, *, device=None, out_sharding=None)",
"Create an array full of a specified value with the same shape and dtype as an array"
],
"gradient": [
"function",
"(f, *varargs, axis=None, edge_order=None)",
"Compute the numerical gradient of a sampled function"
],
"greater": [
"function",
"(x, y, /)",
"Return element-wise truth value of x > y"
],
"greater_equal": [
"function",
"(x, y, /)",
"Return element-wise truth value of x >= y"
],
"histogram": [
"function",
"(a, bins=10, range=None, weights=None, density=None)",
"Compute a 1-dimensional histogram"
],
"hstack": [
"function",
"(tup, dtype=None)",
"Horizontally stack arrays"
],
"hypot": [
"function",
"(x1, x2, /)",
"Return element-wise hypotenuse for the given legs of a right angle triangle"
],
"identity": [
"function",
"(n, dtype=None)",
"Create a square identity matrix"
],
"iinfo": [
"class",
"(int_type)",
""
],
"indices": [
"function",
"(dimensions, dtype=None, sparse=False)",
"Generate arrays of grid indices"
],
"inf": [
"constant",
"",
"inf"
],
"inner": [
"function",
"(a, b, *, precision=None, preferred_element_type=None)",
"Compute the inner product of two arrays"
],
"int16": [
"class",
"",
"A JAX scalar constructor of type int16."
],
"int32": [
"class",
"",
"A JAX scalar constructor of type int32."
],
"int64": [
"class",
"",
"A JAX scalar constructor of type int64."
],
"int8": [
"class",
"",
"A JAX scalar constructor of type int8."
],
"interp": [
"function",
"(x, xp, fp, left=None, right=None, period=None)",
"One-dimensional linear interpolation"
],
"invert": [
"function",
"(x, /)",
"Compute the bitwise inversion of an input"
],
"isclose": [
"function",
"(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
"Check if the elements of two arrays are approximately equal within a tolerance"
],
"isfinite": [
"function",
"(x, /)",
"Return a boolean array indicating whether each element of input is finite"
],
"isin": [
"function",
"(element, test_elements, assume_unique=False, invert=False, *, method='auto')",
"Determine whether elements in element appear in test_elements"
],
"isinf": [
"function",
"(x, /)",
"Return a boolean array indicating whether each element of input is infinite"
],
"isnan": [
"function",
"(x, /)",
"Returns a boolean array indicating whether each element of input is NaN."
],
"kron": [
"function",
"(a, b)",
"Compute the Kronecker product of two input arrays"
],
"less": [
"function",
"(x, y, /)",
"Return element-wise truth value of x < y"
],
"less_equal": [
"function",
"(x, y, /)",
"Return element-wise truth value of x <= y"
],
"linalg": [
"namespace",
"",
""
],
"linspace": [
"function",
"(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
"Return evenly-spaced numbers within an interval"
],
"log": [
"function",
"(x, /)",
"Calculate element-wise natural logarithm of the input"
],
"log10": [
"function",
"(x, /)",
"Calculates the base-10 logarithm of x element-wise"
],
"log1p": [
"function",
"(x, /)",
"Calculates element-wise logarithm of one plus input, log(x+1)"
],
"log2": [
"function",
"(x, /)",
"Calculates the base-2 logarithm of x element-wise"
],
"logaddexp": [
"function",
"(*args, out=None, where=None)",
"Compute log(exp(x1) + exp(x2)) avoiding overflow"
],
"logical_and": [
"function",
"(*args, out=None, where=None)",
"Compute the logical AND operation elementwise"
],
"logical_not": [
"function",
"(x, /)",
"Compute NOT bool(x) element-wise"
],
"logical_or": [
"function",
"(*args, out=None, where=None)",
"Compute the logical OR operation elementwise"
],
"logical_xor": [
"function",
"(*args, out=None, where=None)",
"Compute the logical XOR operation elementwise"
],
"logspace": [
"function",
"(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
"Generate logarithmically-spaced values"
],
"matmul": [
"function",
"(a, b, *, precision=None, preferred_element_type=None, out_sharding=None)",
"Perform a matrix multiplication"
],
"max": [
"function",
"(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the maximum of the array elements along a given axis"
],
"maximum": [
"function",
"(*args, out=None, where=None)",
"Return element-wise maximum of the input arrays"
],
"mean": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None)",
"Return the mean of array elements along a given axis"
],
"median": [
"function",
"(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
"Return the median of array elements along a given axis"
],
"meshgrid": [
"function",
"(*xi, copy=True, sparse=False, indexing='xy')",
"Construct N-dimensional grid arrays from N 1-dimensional vectors"
],
"min": [
"function",
"(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the minimum of array elements along a given axis"
],
"minimum": [
"function",
"(*args, out=None, where=None)",
"Return element-wise minimum of the input arrays"
],
"mod": [
"function",
"(x1, x2, /)",
"Returns element-wise remainder of the division"
],
"moveaxis": [
"function",
"(a, source, destination)",
"Move an array axis to a new position"
],
"multiply": [
"function",
"(*args, out=None, where=None)",
"Multiply two arrays element-wise"
],
"nan": [
"constant",
"",
"nan"
],
"nan_to_num": [
"function",
"(x, copy=True, nan=0.0, posinf=None, neginf=None)",
"Replace NaN and infinite entries in an array"
],
"nanmax": [
"function",
"(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the maximum of the array elements along a given axis, ignoring NaNs"
],
"nanmean": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=False, where=None)",
"Return the mean of the array elements along a given axis, ignoring NaNs"
],
"nanmin": [
"function",
"(a, axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the minimum of the array elements along a given axis, ignoring NaNs"
],
"nansum": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)",
"Return the sum of the array elements along a given axis, ignoring NaNs"
],
"ndarray": [
"class",
"()",
"Array base class for JAX"
],
"negative": [
"function",
"(*args, out=None, where=None)",
"Return element-wise negative values of the input"
],
"newaxis": [
"constant",
"",
""
],
"nonzero": [
"function",
"(a, *, size=None, fill_value=None)",
"Return indices of nonzero elements of an array"
],
"not_equal": [
"function",
"(x, y, /)",
"Returns element-wise truth value of x != y"
],
"ones": [
"function",
"(shape, dtype=None, *, device=None, out_sharding=None)",
"Create an array full of ones"
],
"ones_like": [
"function",
"(a, dtype=None, shape=None, *, device=None, out_sharding=None)",
"Create an array of ones with the same shape and dtype as an array"
],
"outer": [
"function",
"(a, b, out=None)",
"Compute the outer product of two arrays"
],
"pad": [
"function",
"(array, pad_width, mode='constant', **kwargs)",
"Add padding to an array"
],
"percentile": [
"function",
"(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None, out_sharding=None)",
"Compute the percentile of the data along the specified axis"
],
"pi": [
"constant",
"",
"3.141592653589793"
],
"power": [
"function",
"(x1, x2, /)",
"Calculate element-wise base x1 exponential of x2."
],
"prod": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
"Return product of the array elements over a given axis"
],
"ptp": [
"function",
"(a, axis=None, out=None, keepdims=False)",
"Return the peak-to-peak range along a given axis"
],
"quantile": [
"function",
"(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)",
"Compute the quantile of the data along the specified axis"
],
"ravel": [
"function",
"(a, order='C', *, out_sharding=None)",
"Flatten array into a 1-dimensional shape"
],
"reciprocal": [
"function",
"(x, /)",
"Calculate element-wise reciprocal of the input"
],
"repeat": [
"function",
"(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None)",
"Construct an array from repeated elements"
],
"reshape": [
"function",
"(a, shape, order='C', *, copy=None, out_sharding=None)",
"Return a reshaped copy of an array"
],
"rint": [
"function",
"(x, /)",
"Rounds the elements of x to the nearest integer"
],
"roll": [
"function",
"(a, shift, axis=None)",
"Roll the elements of an array along a specified axis"
],
"rot90": [
"function",
"(m, k=1, axes=(0, 1))",
"Rotate an array by 90 degrees counterclockwise in the plane specified by axes"
],
"round": [
"function",
"(a, decimals=0, out=None)",
"Round input evenly to the given number of decimals"
],
"searchsorted": [
"function",
"(a, v, side='left', sorter=None, *, method='scan')",
"Perform a binary search within a sorted array"
],
"sign": [
"function",
"(x, /)",
"Return an element-wise indication of sign of the input"
],
"sin": [
"function",
"(x, /)",
"Compute a trigonometric sine of each element of input"
],
"sinc": [
"function",
"(x, /)",
"Calculate the normalized sinc function"
],
"sinh": [
"function",
"(x, /)",
"Calculate element-wise hyperbolic sine of input"
],
"sort": [
"function",
"(a, axis=-1, *, kind=None, order=None, stable=True, descending=False)",
"Return a sorted copy of an array"
],
"split": [
"function",
"(ary, indices_or_sections, axis=0)",
"Split an array into sub-arrays"
],
"sqrt": [
"function",
"(x, /)",
"Calculates element-wise non-negative square root of the input array"
],
"square": [
"function",
"(x, /)",
"Calculate element-wise square of the input array"
],
"squeeze": [
"function",
"(a, axis=None)",
"Remove one or more length-1 axes from array"
],
"stack": [
"function",
"(arrays, axis=0, out=None, dtype=None)",
"Join arrays along a new axis"
],
"std": [
"function",
"(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None)",
"Compute the standard deviation along a given axis"
],
"subtract": [
"function",
"(*args, out=None, where=None)",
"Subtract two arrays element-wise"
],
"sum": [
"function",
"(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
"Sum of the elements of the array over a given axis"
],
"swapaxes": [
"function",
"(a, axis1, axis2)",
"Swap two axes of an array"
],
"take": [
"function",
"(a, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None)",
"Take elements from an array"
],
"take_along_axis": [
"function",
"(arr, indices, axis=-1, mode=None, fill_value=None, *, wrap_negative_indices=None)",
"Take elements from an array"
],
"tan": [
"function",
"(x, /)",
"Compute a trigonometric tangent of each element of input"
],
"tanh": [
"function",
"(x, /)",
"Calculate element-wise hyperbolic tangent of input"
],
"tensordot": [
"function",
"(a, b, axes=2, *, precision=None, preferred_element_type=None, out_sharding=None)",
"Compute the tensor dot product of two N-dimensional arrays"
],
"tile": [
"function",
"(A, reps)",
"Construct an array by repeating A along specified dimensions"
],
"trace": [
"function",
"(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
"Calculate sum of the diagonal of input along the given axes"
],
"transpose": [
"function",
"(a, axes=None)",
"Return a transposed version of an N-dimensional array"
],
"trapezoid": [
"function",
"(y, x=None, dx=1.0, axis=-1)",
"Integrate along the given axis using the composite trapezoidal rule"
],
"tri": [
"function",
"(N, M=None, k=0, dtype=None)",
"Return an array with ones on and below the diagonal and zeros elsewhere"
],
"tril": [
"function",
"(m, k=0)",
"Return lower triangle of an array"
],
"tril_indices": [
"function",
"(n, k=0, m=None)",
"Return the indices of lower triangle of an array of size (n, m)"
],
"triu": [
"function",
"(m, k=0)",
"Return upper triangle of an array"
],
"triu_indices": [
"function",
"(n, k=0, m=None)",
"Return the indices of upper triangle of an array of size (n, m)"
],
"uint32": [
"class",
"",
"A JAX scalar constructor of type uint32."
],
"uint8": [
"class",
"",
"A JAX scalar constructor of type uint8."
],
"unique": [
"function",
"(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, size=None, fill_value=None, sorted=True)",
"Return the unique values from an array"
],
"unravel_index": [
"function",
"(indices, shape)",
"Convert flat indices into multi-dimensional indices"
],
"var": [
"function",
"(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None)",
"Compute the variance along a given axis"
],
"vdot": [
"function",
"(a, b, *, precision=None, preferred_element_type=None)",
"Perform a conjugate multiplication of two 1D vectors"
],
"vectorize": [
"function",
"(pyfunc, *, excluded=…, signature=None)",
"Define a vectorized function with broadcasting"
],
"vstack": [
"function",
"(tup, dtype=None)",
"Vertically stack arrays"
],
"where": [
"function",
"(condition, x=None, y=None, /, *, size=None, fill_value=None)",
"Select elements from two arrays based on a condition"
],
"zeros": [
"function",
"(shape, dtype=None, *, device=None, out_sharding=None)",
"Create an array full of zeros"
],
"zeros_like": [
"function",
"(a, dtype=None, shape=None, *, device=None, out_sharding=None)",
"Create an array full of zeros with the same shape and dtype as an array"
]
},
"jax.numpy.linalg": {
"cholesky": [
"function",
"(a, *, upper=False, symmetrize_input=True)",
"Compute the Cholesky decomposition of a matrix"
],
"det": [
"function",
"(a)",
"Compute the determinant of an array"
],
"eig": [
"function",
"(a)",
"Compute the eigenvalues and eigenvectors of a square array"
],
"eigh": [
"function",
"(a, UPLO=None, symmetrize_input=True)",
"Compute the eigenvalues and eigenvectors of a Hermitian matrix"
],
"inv": [
"function",
"(a)",
"Return the inverse of a square matrix"
],
"lstsq": [
"function",
"(a, b, rcond=None, *, numpy_resid=False)",
"Return the least-squares solution to a linear equation"
],
"matrix_power": [
"function",
"(a, n)",
"Raise a square matrix to an integer power"
],
"matrix_rank": [
"function",
"(M, rtol=None, *, hermitian=False, tol=None)",
"Compute the rank of a matrix"
],
"norm": [
"function",
"(x, ord=None, axis=None, keepdims=False)",
"Compute the norm of a matrix or vector"
],
"pinv": [
"function",
"(a, rtol=None, hermitian=False, *, rcond=None)",
"Compute the (Moore-Penrose) pseudo-inverse of a matrix"
],
"qr": [
"function",
"(a, mode='reduced')",
"Compute the QR decomposition of an array"
],
"slogdet": [
"function",
"(a, *, method=None)",
"Compute the sign and (natural) logarithm of the determinant of an array"
],
"solve": [
"function",
"(a, b)",
"Solve a linear system of equations"
],
"svd": [
"function",
"(a, full_matrices=True, compute_uv=True, hermitian=False, subset_by_index=None)",
"Compute the singular value decomposition"
]
},
"jax.nn": {
"celu": [
"function",
"(x, alpha=1.0)",
"Continuously-differentiable exponential linear unit activation"
],
"dot_product_attention": [
"function",
"(query, key, value, bias=None, mask=None, *, scale=None, is_causal=False, query_seq_lengths=None, key_value_seq_lengths=None, local_window_size=None, implementation=None, return_residual=False)",
"Scaled dot product attention function"
],
"elu": [
"function",
"(x, alpha=1.0)",
"Exponential linear unit activation function"
],
"gelu": [
"function",
"(x, approximate=True)",
"Gaussian error linear unit activation function"
],
"glu": [
"function",
"(x, axis=-1)",
"Gated linear unit activation function"
],
"hard_sigmoid": [
"function",
"(x)",
"Hard Sigmoid activation function"
],
"hard_swish": [
"function",
"(x)",
"Hard SiLU (swish) activation function"
],
"hard_tanh": [
"function",
"(x)",
"Hard"
],
"initializers": [
"namespace",
"",
""
],
"leaky_relu": [
"function",
"(x, negative_slope=0.01)",
"Leaky rectified linear unit activation function"
],
"log_sigmoid": [
"function",
"(x)",
"Log-sigmoid activation function"
],
"log_softmax": [
"function",
"(x, axis=-1, where=None)",
"Log-Softmax function"
],
"logsumexp": [
"function",
"(a, axis=None, b=None, keepdims=False, return_sign=False, where=None)",
"Log-sum-exp reduction"
],
"mish": [
"function",
"(x)",
"Mish activation function"
],
"one_hot": [
"function",
"(x, num_classes, *, dtype=None, axis=-1)",
"One-hot encodes the given indices"
],
"relu": [
"function",
"(x)",
"Rectified linear unit activation function"
],
"relu6": [
"function",
"(x)",
"Rectified Linear Unit 6 activation function"
],
"selu": [
"function",
"(x)",
"Scaled exponential linear unit activation"
],
"sigmoid": [
"function",
"(x)",
"Sigmoid activation function"
],
"silu": [
"function",
"(x)",
"SiLU (aka swish) activation function"
],
"soft_sign": [
"function",
"(x)",
"Soft-sign activation function"
],
"softmax": [
"function",
"(x, axis=-1, where=None)",
"Softmax function"
],
"softplus": [
"function",
"(x)",
"Softplus activation function"
],
"standardize": [
"function",
"(x, axis=-1, mean=None, variance=None, epsilon=1e-05, where=None, *, algorithm='fast')",
"Standardizes input to zero mean and unit variance"
],
"swish": [
"function",
"(x)",
"SiLU (aka swish) activation function"
]
},
"jax.nn.initializers": {
"constant": [
"function",
"(value, dtype=None)",
"Builds an initializer that returns arrays full of a constant value"
],
"glorot_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot normal initializer (aka Xavier normal initializer)"
],
"glorot_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot uniform initializer (aka Xavier uniform initializer)"
],
"he_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a He normal initializer (aka Kaiming normal initializer)"
],
"he_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a He uniform initializer (aka Kaiming uniform initializer)"
],
"lecun_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Lecun normal initializer"
],
"lecun_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Lecun uniform initializer"
],
"normal": [
"function",
"(stddev=0.01, dtype=None)",
"Builds an initializer that returns real normally-distributed random arrays"
],
"ones": [
"function",
"(key, shape, dtype=None, out_sharding=None)",
"An initializer that returns a constant array full of ones"
],
"orthogonal": [
"function",
"(scale=1.0, column_axis=-1, dtype=None)",
"Builds an initializer that returns uniformly distributed orthogonal matrices"
],
"truncated_normal": [
"function",
"(stddev=0.01, dtype=None, lower=-2.0, upper=2.0)",
"Builds an initializer that returns truncated-normal random arrays"
],
"uniform": [
"function",
"(scale=0.01, dtype=None)",
"Builds an initializer that returns real uniformly-distributed random arrays"
],
"variance_scaling": [
"function",
"(scale, mode, distribution, in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Initializer that adapts its scale to the shape of the weights tensor"
],
"xavier_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot normal initializer (aka Xavier normal initializer)"
],
"xavier_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot uniform initializer (aka Xavier uniform initializer)"
],
"zeros": [
"function",
"(key, shape, dtype=None, out_sharding=None)",
"An initializer that returns a constant array full of zeros"
]
},
"jax.random": {
"ball": [
"function",
"(key, d, p=2, shape=(), dtype=None, *, out_sharding=None)",
"Sample uniformly from the unit Lp ball"
],
"bernoulli": [
"function",
"(key, p=0.5, shape=None, mode='low', *, out_sharding=None)",
"Sample Bernoulli random values with given shape and mean"
],
"beta": [
"function",
"(key, a, b, shape=None, dtype=None, *, out_sharding=None)",
"Sample Beta random values with given shape and float dtype"
],
"binomial": [
"function",
"(key, n, p, shape=None, dtype=None)",
"Sample Binomial random values with given shape and float dtype"
],
"categorical": [
"function",
"(key, logits, axis=-1, shape=None, replace=True, mode=None, *, out_sharding=None)",
"Sample random values from categorical distributions"
],
"choice": [
"function",
"(key, a, shape=(), replace=True, p=None, axis=0, mode=None)",
"Generates a random sample from a given array"
],
"dirichlet": [
"function",
"(key, alpha, shape=None, dtype=None, *, out_sharding=None)",
"Sample Dirichlet random values with given shape and float dtype"
],
"exponential": [
"function",
"(key, shape=(), dtype=None, *, out_sharding=None)",
"Sample Exponential random values with given shape and float dtype"
],
"fold_in": [
"function",
"(key, data)",
"Folds in data to a PRNG key to form a new PRNG key"
],
"gamma": [
"function",
"(key, a, shape=None, dtype=None, *, out_sharding=None)",
"Sample Gamma random values with given shape and float dtype"
],
"gumbel": [
"function",
"(key, shape=(), dtype=None, mode=None, *, out_sharding=None)",
"Sample Gumbel random values with given shape and float dtype"
],
"key": [
"function",
"(seed, *, impl=None, dtype=None)",
"Create a pseudo-random number generator (PRNG) key given an integer seed"
],
"laplace": [
"function",
"(key, shape=(), dtype=None, *, out_sharding=None)",
"Sample Laplace random values with given shape and float dtype"
],
"multivariate_normal": [
"function",
"(key, mean, cov, shape=None, dtype=None, method='cholesky', *, out_sharding=None)",
"Sample multivariate normal random values with given mean and covariance"
],
"normal": [
"function",
"(key, shape=(), dtype=None, *, out_sharding=None)",
"Sample standard normal random values with given shape and float dtype"
],
"orthogonal": [
"function",
"(key, n, shape=(), dtype=None, m=None, *, out_sharding=None)",
"Sample uniformly from the orthogonal group O(n)"
],
"permutation": [
"function",
"(key, x, axis=0, independent=False, *, out_sharding=None)",
"Returns a randomly permuted array or range"
],
"poisson": [
"function",
"(key, lam, shape=None, dtype=None, *, out_sharding=None)",
"Sample Poisson random values with given shape and integer dtype"
],
"PRNGKey": [
"function",
"(seed, *, impl=None)",
"Create a legacy PRNG key given an integer seed"
],
"randint": [
"function",
"(key, shape, minval, maxval, dtype=None, *, out_sharding=None)",
"Sample uniform random values in [minval, maxval) with given shape/dtype"
],
"split": [
"function",
"(key, num=2)",
"Splits a PRNG key into num new keys by adding a leading axis"
],
"truncated_normal": [
"function",
"(key, lower, upper, shape=None, dtype=None, *, out_sharding=None)",
"Sample truncated standard normal random values with given shape and dtype"
],
"uniform": [
"function",
"(key, shape=(), dtype=None, minval=0.0, maxval=1.0, *, out_sharding=None)",
"Sample uniform random values in [minval, maxval) with given shape/dtype"
]
},
"jax.lax": {
"associative_scan": [
"function",
"(fn, elems, reverse=False, axis=0)",
"Performs a scan with an associative binary operation, in parallel"
],
"cond": [
"function",
"(pred, true_fun, false_fun, *operands, operand=…)",
"Conditionally apply true_fun or false_fun"
],
"conv": [
"function",
"(lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None)",
"Convenience wrapper around conv_general_dilated"
],
"conv_general_dilated": [
"function",
"(lhs, rhs, window_strides, padding, lhs_dilation=None, rhs_dilation=None, dimension_numbers=None, feature_group_count=1, batch_group_count=1, precision=None, preferred_element_type=None, out_sharding=None)",
"General n-dimensional convolution operator, with optional dilation"
],
"cumsum": [
"function",
"(operand, axis=0, reverse=False)",
"Computes a cumulative sum along axis"
],
"dot_general": [
"function",
"(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None, *, out_sharding=None)",
"General dot product/contraction operator"
],
"dynamic_slice": [
"function",
"(operand, start_indices, slice_sizes, *, allow_negative_indices=True)",
"Wraps XLA's DynamicSlice <https://www.openxla.org/xla/operation_semantics#dynamicslice>_ operator"
],
"dynamic_slice_in_dim": [
"function",
"(operand, start_index, slice_size, axis=0, *, allow_negative_indices=True)",
"Convenience wrapper around lax.dynamic_slice applied to one dimension"
],
"dynamic_update_slice": [
"function",
"(operand, update, start_indices, *, allow_negative_indices=True)",
"Wraps XLA's DynamicUpdateSlice <https://www.openxla.org/xla/operation_semantics#dynamicupdateslice>_ operator"
],
"erf": [
"function",
"(x)",
"Elementwise error function:."
],
"fori_loop": [
"function",
"(lower, upper, body_fun, init_val, *, unroll=None)",
"Loop from lower to upper by reduction to jax.lax.while_loop"
],
"gather": [
"function",
"(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False, indices_are_sorted=False, mode=None, fill_value=None)",
"Gather operator"
],
"map": [
"function",
"(f, xs, *, batch_size=None)",
"Map a function over leading array axes"
],
"reduce_window": [
"function",
"(operand, init_value, computation, window_dimensions, window_strides=None, padding='VALID', base_dilation=None, window_dilation=None)",
"Reduction over padded windows"
],
"rsqrt": [
"function",
"(x, *, accuracy=None)",
"Elementwise reciprocal square root: 1."
],
"scan": [
"function",
"(f, init, xs=None, length=None, reverse=False, unroll=1)",
"Scan a function over leading array axes while carrying along state"
],
"select": [
"function",
"(pred, on_true, on_false)",
"Selects between two branches based on a boolean predicate"
],
"stop_gradient": [
"function",
"(x)",
"Stops gradient computation"
],
"switch": [
"function",
"(index, branches, *operands, operand=…)",
"Apply exactly one of the branches given by index"
],
"top_k": [
"function",
"(operand, k, *, axis=-1)",
"Returns top k values and their indices along the specified axis of operand"
],
"while_loop": [
"function",
"(cond_fun, body_fun, init_val)",
"Call body_fun repeatedly in a loop while cond_fun is True"
]
},
"jax.tree": {
"all": [
"function",
"(tree, *, is_leaf=None)",
"Call all() over the leaves of a tree"
],
"flatten": [
"function",
"(tree, is_leaf=None)",
"Flattens a pytree"
],
"leaves": [
"function",
"(tree, is_leaf=None)",
"Gets the leaves of a pytree"
],
"map": [
"function",
"(f, tree, *rest, is_leaf=None)",
"Maps a multi-input function over pytree args to produce a new pytree"
],
"reduce": [
"function",
"(function, tree, initializer=…, is_leaf=None)",
"Call reduce() over the leaves of a tree"
],
"structure": [
"function",
"(tree, is_leaf=None)",
"Gets the treedef for a pytree"
],
"transpose": [
"function",
"(outer_treedef, inner_treedef, pytree_to_transpose)",
"Transform a tree having tree structure (outer, inner) into one having structure (inner, outer)"
],
"unflatten": [
"function",
"(treedef, leaves)",
"Reconstructs a pytree from the treedef and the leaves"
]
},
"jax.tree_util": {
"tree_flatten": [
"function",
"(tree, is_leaf=None)",
"Flattens a pytree"
],
"tree_leaves": [
"function",
"(tree, is_leaf=None)",
"Gets the leaves of a pytree"
],
"tree_map": [
"function",
"(f, tree, *rest, is_leaf=None)",
"Maps a multi-input function over pytree args to produce a new pytree"
],
"tree_reduce": [
"function",
"(function, tree, initializer=…, is_leaf=None)",
"Call reduce() over the leaves of a tree"
],
"tree_structure": [
"function",
"(tree, is_leaf=None)",
"Gets the treedef for a pytree"
],
"tree_unflatten": [
"function",
"(treedef, leaves)",
"Reconstructs a pytree from the treedef and the leaves"
]
},
"jax.debug": {
"breakpoint": [
"function",
"(*, backend=None, filter_frames=True, num_frames=None, ordered=False, token=None, **kwargs)",
"Enters a breakpoint at a point in a program"
],
"callback": [
"function",
"(callback=None, *args, ordered=False, partitioned=False, **kwargs)",
"Calls a stageable Python callback"
],
"print": [
"function",
"(fmt=None, *args, ordered=False, partitioned=False, skip_format_check=False, **kwargs)",
"Prints values and works in staged out JAX functions"
]
},
"jax.Array": {
"all": [
"function",
"(axis=None, out=None, keepdims=False, *, where=None)",
"Test whether all array elements along a given axis evaluate to True"
],
"any": [
"function",
"(axis=None, out=None, keepdims=False, *, where=None)",
"Test whether any array elements along a given axis evaluate to True"
],
"argmax": [
"function",
"(axis=None, out=None, keepdims=None)",
"Return the index of the maximum value"
],
"argmin": [
"function",
"(axis=None, out=None, keepdims=None)",
"Return the index of the minimum value"
],
"argsort": [
"function",
"(axis=-1, *, kind=None, order=None, stable=True, descending=False)",
"Return the indices that sort the array"
],
"astype": [
"function",
"(dtype, copy=False, device=None)",
"Copy the array and cast to a specified dtype"
],
"at": [
"property",
"",
"Helper property for index update functionality"
],
"clip": [
"function",
"(min=None, max=None)",
"Return an array whose values are limited to a specified range"
],
"conj": [
"function",
"()",
"Return the complex conjugate of the array"
],
"copy": [
"function",
"()",
"Return a copy of the array"
],
"cumprod": [
"function",
"(axis=None, dtype=None, out=None)",
"Return the cumulative product of the array"
],
"cumsum": [
"function",
"(axis=None, dtype=None, out=None)",
"Return the cumulative sum of the array"
],
"diagonal": [
"function",
"(offset=0, axis1=0, axis2=1)",
"Return the specified diagonal from the array"
],
"dot": [
"function",
"(b, *, precision=None, preferred_element_type=None)",
"Compute the dot product of two arrays"
],
"dtype": [
"property",
"",
"The data type (numpy.dtype) of the array"
],
"flatten": [
"function",
"(order='C', *, out_sharding=None)",
"Flatten array into a 1-dimensional shape"
],
"imag": [
"property",
"",
"Return the imaginary part of the array"
],
"item": [
"function",
"(*args)",
"Copy an element of an array to a standard Python scalar and return it"
],
"max": [
"function",
"(axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the maximum of array elements along a given axis"
],
"mean": [
"function",
"(axis=None, dtype=None, out=None, keepdims=False, *, where=None)",
"Return the mean of array elements along a given axis"
],
"min": [
"function",
"(axis=None, out=None, keepdims=False, initial=None, where=None)",
"Return the minimum of array elements along a given axis"
],
"nbytes": [
"property",
"",
"Total bytes consumed by the elements of the array"
],
"ndim": [
"property",
"",
"The number of dimensions in the array"
],
"nonzero": [
"function",
"(*, fill_value=None, size=None)",
"Return indices of nonzero elements of an array"
],
"prod": [
"function",
"(axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
"Return product of the array elements over a given axis"
],
"ravel": [
"function",
"(order='C', *, out_sharding=None)",
"Flatten array into a 1-dimensional shape"
],
"real": [
"property",
"",
"Return the real part of the array"
],
"repeat": [
"function",
"(repeats, axis=None, *, total_repeat_length=None, out_sharding=None)",
"Construct an array from repeated elements"
],
"reshape": [
"function",
"(*args, order='C', out_sharding=None)",
"Returns an array containing the same data with a new shape"
],
"round": [
"function",
"(decimals=0, out=None)",
"Round array elements to a given decimal"
],
"shape": [
"property",
"",
"The shape of the array"
],
"size": [
"property",
"",
"The total number of elements in the array"
],
"sort": [
"function",
"(axis=-1, *, kind=None, order=None, stable=True, descending=False)",
"Return a sorted copy of an array"
],
"squeeze": [
"function",
"(axis=None)",
"Remove one or more length-1 axes from array"
],
"std": [
"function",
"(axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=None)",
"Compute the standard deviation along a given axis"
],
"sum": [
"function",
"(axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True)",
"Sum of the elements of the array over a given axis"
],
"swapaxes": [
"function",
"(axis1, axis2)",
"Swap two axes of an array"
],
"T": [
"property",
"",
"Compute the all-axis array transpose"
],
"take": [
"function",
"(indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None)",
"Take elements from an array"
],
"trace": [
"function",
"(offset=0, axis1=0, axis2=1, dtype=None, out=None)",
"Return the sum along the diagonal"
],
"transpose": [
"function",
"(*args)",
"Returns a copy of the array with axes transposed"
],
"var": [
"function",
"(axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=None)",
"Compute the variance along a given axis"
]
},
"jax.Array.at": {
"add": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] += y"
],
"apply": [
"function",
"(func, *, indices_are_sorted=False, unique_indices=False, mode=None, wrap_negative_indices=True)",
"Pure equivalent of func.at(x, idx) for a unary ufunc func"
],
"divide": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] /= y"
],
"get": [
"function",
"(*, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None, out_sharding=None, wrap_negative_indices=True)",
"Equivalent to x[idx]"
],
"max": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] = maximum(x[idx], y)"
],
"min": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] = minimum(x[idx], y)"
],
"multiply": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] *= y"
],
"power": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] **= y"
],
"set": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] = y"
],
"subtract": [
"function",
"(values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True)",
"Pure equivalent of x[idx] -= y"
]
},
"flax": {
"linen": [
"namespace",
"",
""
],
"struct": [
"namespace",
"",
""
],
"traverse_util": [
"namespace",
"",
""
]
},
"flax.linen": {
"avg_pool": [
"function",
"(inputs, window_shape, strides=None, padding='VALID', count_include_pad=True)",
"Pools the input by taking the average over a window"
],
"BatchNorm": [
"class",
"(use_running_average=None, axis=-1, momentum=0.99, epsilon=1e-05, dtype=None, param_dtype=float32, use_bias=True, use_scale=True, bias_init=zeros, scale_init=ones, axis_name=None, axis_index_groups=None, use_fast_variance=True, …)",
"BatchNorm Module"
],
"Bidirectional": [
"class",
"(forward_rnn, backward_rnn, merge_fn=_concatenate, time_major=False, return_carry=False, name=None)",
"Processes the input in both directions and merges the results"
],
"celu": [
"function",
"(x, alpha=1.0)",
"Continuously-differentiable exponential linear unit activation"
],
"combine_masks": [
"function",
"(*masks, dtype=float32)",
"Combine attention masks"
],
"compact": [
"function",
"(fun)",
"Marks the given module method allowing inlined submodules"
],
"Conv": [
"class",
"(features, kernel_size, strides=1, padding='SAME', input_dilation=1, kernel_dilation=1, feature_group_count=1, use_bias=True, mask=None, dtype=None, param_dtype=float32, precision=None, kernel_init=…, bias_init=zeros, …)",
"Convolution Module wrapping lax.conv_general_dilated"
],
"ConvTranspose": [
"class",
"(features, kernel_size, strides=None, padding='SAME', kernel_dilation=None, use_bias=True, mask=None, dtype=None, param_dtype=float32, precision=None, kernel_init=…, bias_init=zeros, transpose_kernel=False, promote_dtype=promote_dtype, …)",
"Convolution Module wrapping lax.conv_transpose"
],
"Dense": [
"class",
"(features, use_bias=True, dtype=None, param_dtype=float32, precision=None, kernel_init=…, bias_init=zeros, promote_dtype=promote_dtype, dot_general=None, dot_general_cls=None, name=None)",
"A linear transformation applied over the last dimension of the input"
],
"DenseGeneral": [
"class",
"(features, axis=-1, batch_dims=(), use_bias=True, dtype=None, param_dtype=float32, kernel_init=…, bias_init=zeros, precision=None, promote_dtype=promote_dtype, dot_general=None, dot_general_cls=None, name=None)",
"A linear transformation with flexible axes"
],
"dot_product_attention": [
"function",
"(query, key, value, bias=None, mask=None, broadcast_dropout=True, dropout_rng=None, dropout_rate=0.0, deterministic=False, dtype=None, precision=None, module=None, force_fp32_for_softmax=False, einsum_dot_general=None, …)",
"Computes dot-product attention given query, key, and value"
],
"dot_product_attention_weights": [
"function",
"(query, key, bias=None, mask=None, broadcast_dropout=True, dropout_rng=None, dropout_rate=0.0, deterministic=False, dtype=None, precision=None, module=None, force_fp32_for_softmax=False, einsum_dot_general=None, einsum=None)",
"Computes dot-product attention weights given query and key"
],
"Dropout": [
"class",
"(rate, broadcast_dims=(), deterministic=None, rng_collection='dropout', name=None)",
"Create a dropout layer"
],
"Einsum": [
"class",
"(shape, einsum_str=None, use_bias=True, dtype=None, param_dtype=float32, precision=None, kernel_init=…, bias_init=zeros, promote_dtype=promote_dtype, preferred_element_type=None, name=None)",
"An einsum transformation with learnable kernel and bias"
],
"elu": [
"function",
"(x, alpha=1.0)",
"Exponential linear unit activation function"
],
"Embed": [
"class",
"(num_embeddings, features, dtype=None, param_dtype=float32, embedding_init=…, promote_dtype=promote_dtype, name=None)",
"Embedding Module"
],
"gelu": [
"function",
"(x, approximate=True)",
"Gaussian error linear unit activation function"
],
"glu": [
"function",
"(x, axis=-1)",
"Gated linear unit activation function"
],
"GroupNorm": [
"class",
"(num_groups=32, group_size=None, epsilon=1e-06, dtype=None, param_dtype=float32, use_bias=True, use_scale=True, bias_init=zeros, scale_init=ones, reduction_axes=None, axis_name=None, axis_index_groups=None, use_fast_variance=True, …)",
"Group normalization (arxiv.org/abs/1803.08494)"
],
"GRUCell": [
"class",
"(features, gate_fn=sigmoid, activation_fn=tanh, kernel_init=…, recurrent_kernel_init=…, bias_init=zeros, dtype=None, param_dtype=float32, carry_init=zeros, name=None)",
"GRU cell"
],
"hard_tanh": [
"function",
"(x)",
"Hard"
],
"initializers": [
"namespace",
"",
""
],
"InstanceNorm": [
"class",
"(epsilon=1e-06, dtype=None, param_dtype=float32, use_bias=True, use_scale=True, bias_init=zeros, scale_init=ones, feature_axes=-1, axis_name=None, axis_index_groups=None, use_fast_variance=True, force_float32_reductions=True, name=None)",
"Instance normalization (https://arxiv.org/abs/1607.08022v3)"
],
"jit": [
"function",
"(target, variables=True, rngs=True, static_argnums=(), static_argnames=(), donate_argnums=(), device=None, backend=None, methods=None)",
"Lifted version of jax.jit"
],
"LayerNorm": [
"class",
"(epsilon=1e-06, dtype=None, param_dtype=float32, use_bias=True, use_scale=True, bias_init=zeros, scale_init=ones, reduction_axes=-1, feature_axes=-1, axis_name=None, axis_index_groups=None, use_fast_variance=True, …)",
"Layer normalization (https://arxiv.org/abs/1607.06450)"
],
"leaky_relu": [
"function",
"(x, negative_slope=0.01)",
"Leaky rectified linear unit activation function"
],
"log_sigmoid": [
"function",
"(x)",
"Log-sigmoid activation function"
],
"log_softmax": [
"function",
"(x, axis=-1, where=None)",
"Log-Softmax function"
],
"logsumexp": [
"function",
"(a, axis=None, b=None, keepdims=False, return_sign=False, where=None)",
"Log-sum-exp reduction"
],
"LSTMCell": [
"class",
"(features, gate_fn=sigmoid, activation_fn=tanh, kernel_init=…, recurrent_kernel_init=…, bias_init=zeros, dtype=None, param_dtype=float32, carry_init=zeros, name=None)",
"LSTM cell"
],
"make_attention_mask": [
"function",
"(query_input, key_input, pairwise_fn=multiply, extra_batch_dims=0, dtype=float32)",
"Mask-making helper for attention weights"
],
"make_causal_mask": [
"function",
"(x, extra_batch_dims=0, dtype=float32)",
"Make a causal mask for self-attention"
],
"max_pool": [
"function",
"(inputs, window_shape, strides=None, padding='VALID')",
"Pools the input by taking the maximum of a window slice"
],
"Module": [
"class",
"()",
"Base class for all neural network modules"
],
"MultiHeadDotProductAttention": [
"class",
"(num_heads, dtype=None, param_dtype=float32, qkv_features=None, out_features=None, broadcast_dropout=True, dropout_rate=0.0, deterministic=None, precision=None, kernel_init=…, out_kernel_init=None, bias_init=zeros, out_bias_init=None, …)",
"Multi-head dot-product attention"
],
"nowrap": [
"function",
"(fun)",
"Marks the given module method as a helper method that needn't be wrapped"
],
"one_hot": [
"function",
"(x, num_classes, *, dtype=None, axis=-1)",
"One-hot encodes the given indices"
],
"OptimizedLSTMCell": [
"class",
"(features, gate_fn=sigmoid, activation_fn=tanh, kernel_init=…, recurrent_kernel_init=…, bias_init=zeros, dtype=None, param_dtype=float32, carry_init=zeros, name=None)",
"More efficient LSTM Cell that concatenates state components before matmul"
],
"pool": [
"function",
"(inputs, init, reduce_fn, window_shape, strides, padding)",
"Helper function to define pooling functions"
],
"relu": [
"function",
"(x)",
"Rectified linear unit activation function"
],
"remat": [
"function",
"(target, variables=True, rngs=True, concrete=False, prevent_cse=True, static_argnums=(), policy=None, methods=None)",
"Lifted version of jax.checkpoint"
],
"RMSNorm": [
"class",
"(epsilon=1e-06, dtype=None, param_dtype=float32, use_scale=True, scale_init=ones, reduction_axes=-1, feature_axes=-1, axis_name=None, axis_index_groups=None, use_fast_variance=True, force_float32_reductions=True, name=None)",
"RMS Layer normalization (https://arxiv.org/abs/1910.07467)"
],
"RNN": [
"class",
"(cell, time_major=False, return_carry=False, reverse=False, keep_order=False, unroll=1, variable_axes=…, variable_broadcast='params', variable_carry=False, split_rngs=…, name=None)",
"The RNN module takes any RNNCellBase instance and applies it over a sequence"
],
"scan": [
"function",
"(target, variable_axes=…, variable_broadcast=False, variable_carry=False, split_rngs=…, in_axes=0, out_axes=0, length=None, reverse=False, unroll=1, data_transform=None, metadata_params={}, methods=None, check_constancy_invariants=True)",
"A lifted version of jax.lax.scan"
],
"SelfAttention": [
"class",
"(num_heads, dtype=None, param_dtype=float32, qkv_features=None, out_features=None, broadcast_dropout=True, dropout_rate=0.0, deterministic=None, precision=None, kernel_init=…, out_kernel_init=None, bias_init=zeros, out_bias_init=None, …)",
"Self-attention special case of multi-head dot-product attention"
],
"selu": [
"function",
"(x)",
"Scaled exponential linear unit activation"
],
"Sequential": [
"class",
"(layers, name=None)",
"Applies a linear chain of Modules"
],
"sigmoid": [
"function",
"(x)",
"Sigmoid activation function"
],
"silu": [
"function",
"(x)",
"SiLU (aka swish) activation function"
],
"SimpleCell": [
"class",
"(features, activation_fn=tanh, kernel_init=…, recurrent_kernel_init=…, bias_init=zeros, dtype=None, param_dtype=float32, carry_init=zeros, residual=False, name=None)",
"Simple cell"
],
"softmax": [
"function",
"(x, axis=-1, where=None)",
"Softmax function"
],
"softplus": [
"function",
"(x)",
"Softplus activation function"
],
"standardize": [
"function",
"(x, axis=-1, mean=None, variance=None, epsilon=1e-05, where=None, *, algorithm='fast')",
"Standardizes input to zero mean and unit variance"
],
"swish": [
"function",
"(x)",
"SiLU (aka swish) activation function"
],
"tabulate": [
"function",
"(module, rngs, depth=None, show_repeated=False, mutable=…, console_kwargs=None, table_kwargs=…, column_kwargs=…, compute_flops=False, compute_vjp_flops=False, **kwargs)",
"Returns a function that creates a summary of the Module represented as a table"
],
"tanh": [
"function",
"(x, /)",
"Calculate element-wise hyperbolic tangent of input"
],
"vmap": [
"function",
"(target, variable_axes=…, split_rngs=…, in_axes=0, out_axes=0, axis_size=None, axis_name=None, spmd_axis_name=None, metadata_params={}, methods=None)",
"A lifted version of jax.vmap"
],
"WeightNorm": [
"class",
"(layer_instance, epsilon=1e-12, dtype=None, param_dtype=float32, use_scale=True, scale_init=ones, feature_axes=-1, variable_filter=…, name=None)",
"L2 weight normalization (https://arxiv.org/abs/1602.07868)"
]
},
"flax.linen.Module": {
"apply": [
"function",
"(variables, *args, rngs=None, method=None, mutable=False, capture_intermediates=False, **kwargs)",
"Applies a module method to variables and returns output and modified variables"
],
"bind": [
"function",
"(variables, *args, rngs=None, mutable=False)",
"Creates an interactive Module instance by binding variables and RNGs"
],
"clone": [
"function",
"(**updates)",
"Creates a clone of this Module, with optionally updated arguments"
],
"copy": [
"function",
"(*, name=None, **updates)",
"Creates a copy of this Module, with optionally updated arguments"
],
"get_variable": [
"function",
"(col, name, default=None)",
"Retrieves the value of a Variable"
],
"has_rng": [
"function",
"(name)",
"Returns true if a PRNGSequence with name name exists"
],
"has_variable": [
"function",
"(col, name)",
"Checks if a variable of given collection and name exists in this Module"
],
"init": [
"function",
"(rngs, *args, method=None, mutable=…, capture_intermediates=False, **kwargs)",
"Initializes a module method with variables and returns modified variables"
],
"init_with_output": [
"function",
"(rngs, *args, method=None, mutable=…, capture_intermediates=False, **kwargs)",
"Initializes a module method with variables and returns output and modified variables"
],
"is_initializing": [
"function",
"()",
"Returns True if running under self.init...) or nn.init...)()"
],
"is_mutable_collection": [
"function",
"(col)",
"Returns true if the collection col is mutable"
],
"lazy_init": [
"function",
"(rngs, *args, method=None, mutable=…, **kwargs)",
"Initializes a module without computing on an actual input"
],
"make_rng": [
"function",
"(name='params')",
"Returns a new RNG key from a given RNG sequence for this Module"
],
"param": [
"function",
"(name, init_fn, *init_args, unbox=True, **init_kwargs)",
"Declares and returns a parameter in this Module"
],
"path": [
"property",
"",
"Get the path of this Module"
],
"perturb": [
"function",
"(name, value, collection='perturbations')",
"Add an zero-value variable ('perturbation') to the intermediate value"
],
"put_variable": [
"function",
"(col, name, value)",
"Updates the value of the given variable if it is mutable, or an error otherwise"
],
"setup": [
"function",
"()",
"Initializes a Module lazily (similar to a lazy __init__)"
],
"sow": [
"function",
"(col, name, value, reduce_fn=…, init_fn=…)",
"Stores a value in a collection"
],
"tabulate": [
"function",
"(rngs, *args, depth=None, show_repeated=False, mutable=…, console_kwargs=None, table_kwargs=…, column_kwargs=…, compute_flops=False, compute_vjp_flops=False, **kwargs)",
"Creates a summary of the Module represented as a table"
],
"unbind": [
"function",
"()",
"Returns an unbound copy of a Module and its variables"
],
"variable": [
"function",
"(col, name, init_fn=None, *init_args, unbox=True, **init_kwargs)",
"Declares and returns a variable in this Module"
],
"variables": [
"property",
"",
"Returns the variables in this module"
]
},
"flax.linen.initializers": {
"constant": [
"function",
"(value, dtype=None)",
"Builds an initializer that returns arrays full of a constant value"
],
"glorot_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot normal initializer (aka Xavier normal initializer)"
],
"glorot_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot uniform initializer (aka Xavier uniform initializer)"
],
"he_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a He normal initializer (aka Kaiming normal initializer)"
],
"he_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a He uniform initializer (aka Kaiming uniform initializer)"
],
"kaiming_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a He normal initializer (aka Kaiming normal initializer)"
],
"kaiming_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a He uniform initializer (aka Kaiming uniform initializer)"
],
"lecun_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Lecun normal initializer"
],
"lecun_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Lecun uniform initializer"
],
"normal": [
"function",
"(stddev=0.01, dtype=None)",
"Builds an initializer that returns real normally-distributed random arrays"
],
"ones": [
"function",
"(key, shape, dtype=None, out_sharding=None)",
"An initializer that returns a constant array full of ones"
],
"ones_init": [
"function",
"()",
"Builds an initializer that returns a constant array full of ones"
],
"orthogonal": [
"function",
"(scale=1.0, column_axis=-1, dtype=None)",
"Builds an initializer that returns uniformly distributed orthogonal matrices"
],
"truncated_normal": [
"function",
"(stddev=0.01, dtype=None, lower=-2.0, upper=2.0)",
"Builds an initializer that returns truncated-normal random arrays"
],
"uniform": [
"function",
"(scale=0.01, dtype=None)",
"Builds an initializer that returns real uniformly-distributed random arrays"
],
"variance_scaling": [
"function",
"(scale, mode, distribution, in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Initializer that adapts its scale to the shape of the weights tensor"
],
"xavier_normal": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot normal initializer (aka Xavier normal initializer)"
],
"xavier_uniform": [
"function",
"(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None)",
"Builds a Glorot uniform initializer (aka Xavier uniform initializer)"
],
"zeros": [
"function",
"(key, shape, dtype=None, out_sharding=None)",
"An initializer that returns a constant array full of zeros"
],
"zeros_init": [
"function",
"()",
"Builds an initializer that returns a constant array full of zeros"
]
}
}
};
