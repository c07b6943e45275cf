"""The ONNX models, and the code that trains them."""
