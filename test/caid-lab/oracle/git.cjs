/** Git in the folder that an agent works in, as the agent's own: nothing of it is checked, and whoever works there has a name. */
const { spawnSync } = require('node:child_process');

const AS = ['-c', 'user.name=Oracle', '-c', 'user.email=oracle@localhost'];

function git(...args) {
  return spawnSync('git', [...AS, ...args], { encoding: 'utf8' });
}

/** What it prints, or something else where it fails. */
function gitOr(otherwise, ...args) {
  const { status, stdout } = git(...args);
  return status === 0 ? stdout : otherwise;
}

module.exports = { git, gitOr };
