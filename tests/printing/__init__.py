"""What is printed, rasterised and measured."""
