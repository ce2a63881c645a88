#!/bin/sh
# Stands for a server that another one was quicker than: it finds its port taken only after a while, as on a busy machine.
sleep 0.5
echo "address already in use" >&2
exit 1
