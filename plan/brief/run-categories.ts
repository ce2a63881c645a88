import type { CostCategory } from './category';
import { gitCategories } from './git-categories';

/**
 * The categories of a program that the tool `run` starts, by its words: `shell_exec` always, and what the programs below do. It does not
 * look into shells, scripts, interpreters and aliases: `sh -c "git push"` is `shell_exec` alone. Pure.
 */
export function runCategories(argv: readonly string[]): CostCategory[] {
  const [program = '', ...words] = argv;
  const started = STARTERS.has(programName(program)) ? suffixesAtPrograms(words) : [];
  return [...new Set<CostCategory>(['shell_exec', ...[argv, ...started].flatMap(programCategories)])];
}

/** Everything from a word on that names a known program: such a word may be an argument, but nobody can tell which program is started. */
function suffixesAtPrograms(words: readonly string[]): (readonly string[])[] {
  return words.flatMap((word, at) => (KNOWN.has(programName(word)) ? [words.slice(at)] : []));
}

function programCategories([program = '', ...words]: readonly string[]): CostCategory[] {
  const name = programName(program);
  const found: CostCategory[] = [];
  if (name === 'git') found.push(...gitCategories(words));
  else if (words.some((word) => ADDRESS.test(word))) found.push('http_fetch');
  if (DELETERS.has(name) || (name === 'find' && words.includes('-delete'))) found.push('filesystem_delete');
  if (FETCHERS.has(name)) found.push('http_fetch');
  if (name === 'rsync') {
    if (words.some((word) => /^--(?:del|delete|remove-source)/.test(word))) found.push('filesystem_delete');
    if (words.some((word) => /^[^-/][^/]*:/.test(word))) found.push('http_fetch');
  }
  return found;
}

/** `rm` for `/bin/rm`, `RM.EXE` and `rm`. */
function programName(word: string): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}

const ADDRESS = /^(?:[\w-]+=)?(?:https?|ftps?|wss?):\/\//i;

const DELETERS: ReadonlySet<string> = new Set('rm rmdir unlink shred srm rimraf trash trash-put del erase rd'.split(' '));

/** Programs that bring something from the network, or send it there. */
const FETCHERS: ReadonlySet<string> = new Set(
  'curl wget wget2 http https xh xhs aria2c lynx w3m links elinks ftp lftp sftp scp ssh nc ncat netcat telnet socat'.split(' '),
);

/** Programs that start the one which their words name. */
const STARTERS: ReadonlySet<string> = new Set(
  'env sudo doas nice ionice nohup setsid stdbuf time timeout xargs parallel watch busybox toybox npx bunx find fd flock chroot'.split(' '),
);

const KNOWN: ReadonlySet<string> = new Set(['git', 'rsync', ...DELETERS, ...FETCHERS, ...STARTERS]);
