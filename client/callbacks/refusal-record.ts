import { defined } from '../../plan/defined';
import type { GateLink } from '../../plan/people/notice';
import { beginning } from '../../plan/text/shortened';
import type { CallbackContext } from './callback-context';
import { OverTheRate } from './rate-limit';
import type { CallbackRefused } from './refusal';

/** What is known of a request while it is read, for the record of a refusal. */
export interface RequestFacts {
  /** Which way it comes: the name of a chat, `webhook`, `team`, `link`. */
  way: string;
  /** The address, or, once that is proven, who sends it. */
  from: string;
  gate?: GateLink;
  /** The key as requested. */
  key?: string;
  by?: string;
}

const KEY_CHARACTERS = 64;

/** Writes down a refusal. Of a sender over its rate only the first is: the rest says nothing new. */
export function recordRefusal({ refused, ports }: CallbackContext, about: RequestFacts, refusal: CallbackRefused): void {
  if (refusal instanceof OverTheRate && !refusal.first) return;
  const { way, from, gate, key, by } = about;
  refused.add({
    at: new Date(ports.now()).toISOString(),
    status: refusal.status,
    reason: refusal.message,
    way,
    from,
    ...defined({ by }),
    ...(gate ? { run: gate.run, step: gate.step } : {}),
    // The key of a gate that exists is as good as a password for its page.
    ...(gate || key === undefined ? {} : { key: beginning(key, KEY_CHARACTERS) }),
  });
}
