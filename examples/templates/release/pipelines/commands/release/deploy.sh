# Your deployment. As it comes: the version is unpacked beside the others, then the link live/current is switched. Doing it twice does no harm.
set -eu
mkdir -p "live/$1"
tar -xzf "out/$1.tar.gz" -C "live/$1"
ln -sfn "$1" live/current
echo "live: $1"
