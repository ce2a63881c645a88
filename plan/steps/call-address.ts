import { type Address, formatPath, parseAddress } from './address';

const ID = /^([^#~]+#\d+~\d+)(?:\/.*)?$/;

/** The address of the step that a call is for; undefined for a call that belongs to the run as a whole. */
export function addressOfCall(call: { id: string }): Address | undefined {
  const written = ID.exec(call.id)?.[1];
  return written === undefined ? undefined : parseAddress(written);
}

/** The id of the call at an address: a step's try, or one below it. */
export function callIdAt(address: string): string {
  const parsed = parseAddress(address);
  return parsed === undefined ? address : `${formatPath(parsed.path)}#${parsed.round}~${parsed.try}`;
}
