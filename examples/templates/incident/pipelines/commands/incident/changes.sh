# What was changed of late, the last first. Yours may ask the deployment system.
git log -n 30 --date=iso --format='%h %ad %an %s' 2> /dev/null || echo "no repository here"
