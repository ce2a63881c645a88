# The end of the service's logs. Yours may be: journalctl -u "$1" -n 300 --no-pager, or kubectl logs deploy/"$1" --tail=300
if [ -d "log" ]; then tail -n 300 "log/$1"*; else echo "no folder log/ here"; fi | tail -c 60000
