/** Git in the folder that an agent works in, run as the agent itself: nothing is checked, and the author has a name. */
const { spawnSync } = require('node:child_process');

const AS = ['-c', 'user.name=Oracle', '-c', 'user.email=oracle@localhost'];

function git(...args) {
  return spawnSync('git', [...AS, ...args], { encoding: 'utf8' });
}

/** The output of git, or something else if it fails. */
function gitOr(otherwise, ...args) {
  const { status, stdout } = git(...args);
  return status === 0 ? stdout : otherwise;
}

module.exports = { git, gitOr };
