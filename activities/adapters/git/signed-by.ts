import type { Signature } from '../../git-model';

/** Dates to the second, in UTC: the commit is the same whenever and wherever it is made again. */
export function signedBy({ name, email, atMs }: Signature): Record<string, string> {
  const date = `@${Math.floor(atMs / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}
