"""What measures, soaks, fuzzes and compares the program, each run by hand or by make."""
