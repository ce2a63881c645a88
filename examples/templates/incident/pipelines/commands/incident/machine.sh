# The state of the machine.
uptime
df -h .
if command -v free > /dev/null; then free -m; fi
