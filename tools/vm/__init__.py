"""The product as it is installed, in a virtual machine with the kernel's simulated devices: ``make vm-test``."""
