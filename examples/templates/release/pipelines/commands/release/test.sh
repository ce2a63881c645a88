# Your tests. As it comes: can the archive be unpacked?
set -eu
tar -tzf "out/$1.tar.gz" > /dev/null
echo "out/$1.tar.gz is whole"
