import { branchProblem, isRefName } from '../../../plan/text/ref-name';
import type { ObjectId } from '../../git-model';
import { PROTOCOLS } from './environment';
import { repositoryFailure } from './failures';

/** Input from outside is checked before git gets it: none of it is read as an option, a revision's arithmetic or a program. */

const CONTROL = /\p{Cc}/u;
const OBJECT_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
export function checkedId(id: ObjectId): ObjectId {
  if (!OBJECT_ID.test(id)) throw repositoryFailure('invalid-name', `${JSON.stringify(id)} is not the name of a commit`);
  return id;
}

/** Full names alone, by the rules of `git check-ref-format`. */
export function checkedRef(ref: string): string {
  if (!isRefName(ref))
    throw repositoryFailure('invalid-name', `${JSON.stringify(ref)} is not the full name of a ref, such as refs/heads/main`);
  return ref;
}

/** The prefix of a listing, of whole parts, such as `refs/thermidor/`. */
export function checkedPrefix(prefix: string): string {
  if (!prefix.endsWith('/') || (prefix !== 'refs/' && !isRefName(prefix.slice(0, -1)))) {
    throw repositoryFailure('invalid-name', `${JSON.stringify(prefix)} is not a prefix of refs, such as refs/heads/`);
  }
  return prefix;
}

export function branchRef(branch: string): string {
  const problem = branchProblem(branch);
  if (problem) throw repositoryFailure('invalid-name', problem.message);
  return `refs/heads/${branch}`;
}

/** A revision that names a commit; git itself handles its arithmetic, such as `HEAD~2`. */
export function checkedRevision(revision: string): string {
  if (revision === '' || revision.startsWith('-') || CONTROL.test(revision)) {
    throw repositoryFailure('base-missing', `${JSON.stringify(revision)} names no commit`);
  }
  return revision;
}

/** Matches `user@host:path`, ssh's format. A single letter before the colon is a drive of Windows. */
const SCP_LIKE = /^(?:[\w.-]+@)?(?:[\w.-]{2,}|\[[\da-f:]+\]):(?!\/\/)[^\s]/i;

/** An absolute path, a URL of `PROTOCOLS`, or `user@host:path`. */
export function checkedUrl(url: string): string {
  const refused = (why: string) => repositoryFailure('invalid-url', `${JSON.stringify(withoutSecrets(url))} ${why}`);
  // The folder of a repository may have any name. Git reads an absolute path only as a folder.
  if (url.startsWith('/')) return url;
  if (CONTROL.test(url)) throw refused('has a control character');
  if (url.startsWith('-') || url.includes('::')) throw refused('is not the URL of a repository');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    if (!SCP_LIKE.test(url) || url.startsWith('.')) throw refused('is not the URL of a repository');
    return url;
  }
  if (!PROTOCOLS.some((known) => known === scheme)) throw refused(`has a protocol that is not used: ${scheme}`);
  // A host of ssh that begins with a dash would be an option of ssh.
  if (scheme === 'ssh' && /^ssh:\/\/([^/@]*@)?-/i.test(url)) throw refused('has a host that begins with a dash');
  return url;
}

/** The identity of a URL: without user and password of http, with the host in lower case, without slashes at the end. */
export function urlIdentity(url: string): string {
  checkedUrl(url);
  const trimmed = url.length > 1 ? url.replace(/\/+$/, '') : url;
  const parts = /^([a-z]+):\/\/(?:([^/@]*)@)?([^/]*)(.*)$/i.exec(trimmed);
  if (!parts) return trimmed;
  const [, scheme = '', user, host = '', path = ''] = parts;
  const kept = scheme.toLowerCase() === 'ssh' && user ? `${user.replace(/:.*$/, '')}@` : '';
  return `${scheme.toLowerCase()}://${kept}${host.toLowerCase()}${path}`;
}

function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
