# Does what was decided: mitigate.sh ACTION SERVICE. As it comes it says what it would do, and changes nothing.
# An action that may be done twice does no harm: where a worker is lost in the middle, it is done again after another yes.
set -eu
case "$1" in
  roll_back) echo "would roll $2 back to the version before" ;;
  restart) echo "would restart $2" ;;
  scale_up) echo "would add a copy of $2" ;;
  *) echo "there is no action \"$1\"" >&2; exit 2 ;;
esac
