import { createHmac } from 'node:crypto';
import type { GateLink } from '../../plan/people/notice';
import type { GateLinks } from '../../records/gate-links';
import type { LinkedGates } from '../ports';

const KEY_CHARACTERS = 32;

/**
 * Gates under keys that follow from the service key, the run, the step and what was shown: the same gate always has the same key, another
 * round of it has another one, and nobody without the service key can guess it.
 */
export class KeyedGateLinks implements LinkedGates {
  constructor(
    private readonly links: GateLinks,
    private readonly serviceKey: () => Promise<Buffer>,
  ) {}

  async keyFor(link: GateLink): Promise<string> {
    const { run, step, shownSha256 } = link;
    const mac = createHmac('sha256', await this.serviceKey()).update([run, step, shownSha256].join('|'));
    const key = mac.digest('base64url').slice(0, KEY_CHARACTERS);
    await this.links.put(key, link);
    return key;
  }
}
