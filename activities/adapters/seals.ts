import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Directory } from '../../plan/people/people';
import { type Proof, type Sealed, type SealedStart, sealedText } from '../../plan/people/proof';
import type { Seals, Secrets } from '../ports';

/**
 * Checks the seals of decisions and starts: from a terminal with the person's own token, from anywhere else with the service key that the
 * listener shares. Problems never quote a key, a token or the right seal.
 *
 * Invariants: 1. values are compared in constant time, so that an answer's time reveals nothing of the right one; 2. a seal has one
 * spelling: in capitals it would count as another one for the run, which accepts each once.
 */
export class DirectorySeals implements Seals {
  constructor(
    private readonly people: Directory['people'],
    private readonly secrets: Secrets,
    private readonly serviceKey: () => Promise<Buffer>,
  ) {}

  async check(sealed: Sealed | SealedStart, proof: Proof): Promise<string | undefined> {
    if (!isTime(proof.at)) return 'its proof has no time';
    const key = proof.channel === 'console' ? await this.tokenOf(sealed.by) : await this.serviceKey();
    if (key === undefined) return `${sealed.by} has no token that could prove it: people.${sealed.by}.token in thermidor.yaml`;
    // The seal and its content are in history: a short token could be found from them by trying.
    if (typeof key === 'string' && key.length < SHORTEST_TOKEN)
      return `the token of ${sealed.by} is too short to prove anything: it needs ${SHORTEST_TOKEN} characters`;
    const wanted = createHmac('sha256', key).update(sealedText(sealed, proof)).digest('hex');
    return isSame(wanted, proof.mac) ? undefined : `its proof does not match the token of ${sealed.by}`;
  }

  /** A group has no token: a person decides. */
  private async tokenOf(name: string): Promise<string | undefined> {
    const reference = Object.hasOwn(this.people, name) ? this.people[name]?.token : undefined;
    return reference === undefined ? undefined : this.secrets.resolve(reference);
  }
}

const SHORTEST_TOKEN = 16;

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Digests are compared, so that texts of different lengths take as long. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
