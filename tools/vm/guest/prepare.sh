#!/bin/sh
# What the service needs in the machine and not on a Pi. Root, in the machine.
#   softpipe: the unit forbids memory that is writable and executable, and Mesa's other software renderer compiles into it
#   times: without KVM a start takes 10 to 40 s
set -eu
mkdir -p /etc/systemd/system/sevenmat.service.d
cat > /etc/systemd/system/sevenmat.service.d/vm.conf <<X
[Service]
Environment=GALLIUM_DRIVER=softpipe
TimeoutStartSec=600
WatchdogSec=${1:-180}
X
systemctl daemon-reload
