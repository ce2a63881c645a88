// Prints the changed files of a git diff as JSON, a list of {path, diff}: node changed-files.mjs BASE [PATCH_FILE] Without PATCH_FILE it is
// the diff from where the checkout left BASE, with what is not committed yet; new files once they are added. Files that nobody reviews are
// left out; of a long diff the beginning is kept, and it says so. Too many files are refused, because each costs the requests of all
// critics.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MOST_FILES = 50;
const MOST_BYTES = 40_000;
const PASSED_OVER = /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|dist\/.*|vendor\/.*|.*\.(svg|snap|min\.js))$/;

const [base = '', patch = ''] = process.argv.slice(2);

function git(...args) {
  const quiet = ['-c', 'core.quotePath=false', '-c', 'diff.noprefix=false', '-c', 'diff.mnemonicPrefix=false'];
  return execFileSync('git', [...quiet, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] });
}

function diffText() {
  if (patch !== '') return readFileSync(patch, 'utf8');
  const from = git('merge-base', '--', base, 'HEAD').trim();
  return git('diff', '--no-color', '--no-ext-diff', '--src-prefix=a/', '--dst-prefix=b/', from, '--');
}

function changedFile(text) {
  const deleted = /^deleted file mode/m.test(text);
  const binary = /^(Binary files|GIT binary patch)/m.test(text);
  // Git quotes a path that has a quote or a control character in it.
  const [, quoted, plain] = /^\+\+\+ (?:"b\/(.*)"|b\/([^\t\n]*))/m.exec(text) ?? [];
  const path = quoted?.replace(/\\(["\\])/g, '$1') ?? plain;
  if (deleted || binary || path === undefined || PASSED_OVER.test(path)) return [];
  const cut = text.length > MOST_BYTES;
  return [{ path, diff: cut ? `${text.slice(0, MOST_BYTES)}\n[cut: ${text.length - MOST_BYTES} more characters]` : text }];
}

let text;
try {
  text = diffText();
} catch (error) {
  console.error(patch === '' ? `no diff from "${base}": is this a git checkout, and does the base exist?` : error.message);
  process.exit(1);
}
const files = text.split(/^(?=diff --git )/m).flatMap(changedFile);
if (files.length > MOST_FILES) {
  console.error(`${files.length} files have changed; ${MOST_FILES} are reviewed at most. Give a nearer base, or raise MOST_FILES.`);
  process.exit(1);
}
console.log(JSON.stringify(files));
