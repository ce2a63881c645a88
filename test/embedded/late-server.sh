#!/bin/sh
# Plays a server that comes too late: it finds only after a while that another one has its port, as on a busy machine.
sleep 0.5
echo "address already in use" >&2
exit 1
