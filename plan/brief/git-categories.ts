import type { CostCategory } from './category';

/**
 * The categories of a git command, by the words after `git`. A subcommand that git does not have may be an alias for anything, so it counts
 * as a push, too. Pure.
 */
export function gitCategories(words: readonly string[]): CostCategory[] {
  const [command, ...rest] = afterOptions(words);
  if (command === undefined || READS.has(command) || onlyShows(command, rest)) return [];
  const within = rest.find((word) => !word.startsWith('-'));
  const isOneOf = (names: ReadonlySet<string>): boolean => names.has(command) || names.has(`${command} ${within}`);
  if (isOneOf(PUSHES)) return ['git_push'];
  if (command === 'ls-remote') return ['http_fetch'];
  if (isOneOf(FETCHES)) return ['git_write', 'http_fetch'];
  if (isOneOf(DELETES)) return ['git_write', 'filesystem_delete'];
  return WRITES.has(command) ? ['git_write'] : ['git_write', 'git_push'];
}

/** Skips the options of git itself; of some the next word is the value. */
function afterOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith('-')) at += WITH_VALUE.has(words[at] ?? '') ? 2 : 1;
  return words.slice(at);
}

/** Whether a subcommand that can write only shows something in this form. */
function onlyShows(command: string, rest: readonly string[]): boolean {
  const [first] = rest;
  if (first === undefined) return SHOW_ALONE.has(command);
  return SHOW.has(`${command} ${first}`) || (rest.length === 1 && SHOW_WITH_ONE.has(`${command} ${first}`));
}

function listed(names: string): ReadonlySet<string> {
  return new Set(names.split(', '));
}

const WITH_VALUE = listed('-C, -c, --git-dir, --work-tree, --namespace, --config-env, --super-prefix, --attr-source');

const READS = listed(
  'status, log, show, diff, blame, annotate, grep, shortlog, describe, whatchanged, range-diff, cherry, ls-files, ls-tree, rev-parse, ' +
    'rev-list, cat-file, merge-base, merge-tree, name-rev, for-each-ref, show-ref, show-branch, diff-tree, diff-index, diff-files, ' +
    'check-ignore, check-attr, check-mailmap, check-ref-format, count-objects, verify-commit, verify-tag, verify-pack, var, fsck, help, ' +
    'version, get-tar-commit-id',
);
const SHOW_ALONE = listed('branch, tag, remote, worktree, notes, submodule, reflog');
/** More words may follow. */
const SHOW = listed(
  'branch --list, branch --show-current, tag --list, tag -l, remote get-url, stash list, stash show, worktree list, notes list, notes show, ' +
    'submodule status, reflog show, bisect log, config --get, config --get-all, config --list, config -l, config get, config list',
);
/** With more words some of these write: `git branch -v NAME` makes a branch. */
const SHOW_WITH_ONE = listed('branch -a, branch -r, branch -v, branch -vv, branch -l, remote -v, remote show');

const PUSHES = listed('push, send-pack, http-push, subtree push, lfs push, svn dcommit, p4 submit, annex sync, annex push');
const FETCHES = listed(
  'fetch, pull, clone, fetch-pack, http-fetch, remote update, remote show, remote prune, submodule update, submodule add, subtree pull, ' +
    'subtree add, lfs fetch, lfs pull, svn fetch, svn rebase',
);
const DELETES = listed('rm, clean, worktree remove, worktree prune');
const WRITES = listed(
  'add, stage, am, apply, archive, bisect, branch, bundle, checkout, checkout-index, cherry-pick, commit, commit-graph, commit-tree, ' +
    'config, fast-export, fast-import, filter-branch, format-patch, gc, hash-object, index-pack, init, init-db, interpret-trailers, lfs, ' +
    'maintenance, merge, merge-file, merge-index, mktag, mktree, multi-pack-index, mv, notes, pack-objects, pack-refs, prune, ' +
    'prune-packed, read-tree, rebase, reflog, remote, repack, replace, rerere, reset, restore, revert, sparse-checkout, stash, ' +
    'submodule, subtree, switch, svn, symbolic-ref, tag, unpack-objects, update-index, update-ref, worktree, write-tree',
);
