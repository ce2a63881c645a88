import type { GateLink } from '../../plan/people/notice';
import { parseJson } from '../../plan/text/json-text';
import type { EnvironmentStore } from '../caller-environments';
import type { GateLinks } from '../gate-links';
import { callerIn, callerText } from '../stored-caller';
import type { KeyRing } from './key-ring';
import { openText, sealText } from './sealed-text';

/** What a store keeps in a form of its own, sealed within that form: as the only variable, or as the question. */

/** No caller has such a variable in what is stored: those of Thermidor are no command's business. */
export const VARIABLE = 'THERMIDOR_SEALED';
/** It is handed on to child runs within the store, so it belongs to no run. */
export const ENVIRONMENT = 'the environment of a caller';

export function sealedEnvironments(environments: EnvironmentStore, ring: KeyRing): EnvironmentStore {
  return {
    async callerOf(workflowId) {
      const stored = await environments.callerOf(workflowId);
      const text = stored.env[VARIABLE];
      return text === undefined ? stored : (callerIn(openText(ring, text, ENVIRONMENT)) ?? stored);
    },
    inherit: (workflowId, parent) => environments.inherit(workflowId, parent),
    async write(workflowId, caller) {
      const sealed = ring.use === undefined ? caller : { env: { [VARIABLE]: sealText(ring, callerText(caller), ENVIRONMENT) } };
      await environments.write(workflowId, sealed);
    },
    remove: (workflowId) => environments.remove(workflowId),
  };
}

export function sealedLinks(links: GateLinks, ring: KeyRing): GateLinks {
  return {
    async put(key, link) {
      await links.put(key, ring.use === undefined ? link : sealedLink(link, ring, key));
    },
    async find(key) {
      const stored = await links.find(key);
      if (stored === undefined) return undefined;
      const text = openText(ring, stored.question, linkOf(key));
      return text === stored.question ? stored : parseJson<GateLink>(text);
    },
  };
}

function sealedLink(link: GateLink, ring: KeyRing, key: string): GateLink {
  const { run, step, kind } = link;
  return { run, step, kind, channel: '', shownSha256: '', choices: [], question: sealText(ring, JSON.stringify(link), linkOf(key)) };
}

export function linkOf(key: string): string {
  return `the link of a gate\n${key}`;
}
