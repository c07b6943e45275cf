#!/bin/sh
# Process 1 of the machine that runs the program alone (tools/vm/alone.py): the checkout's own code, in place of systemd.
cd /run/alone
export PYTHONPATH=/run/alone PYTHONDONTWRITEBYTECODE=1 HOME=/run
exec /opt/sevenmat/program/bin/python -u tools/vm/guest/keeper.py
