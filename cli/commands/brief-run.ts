import { briefStart } from '../briefs/brief-flags';
import { requireBrief } from '../briefs/brief-in';
import type { Invocation } from '../command';
import { startAndFollow } from './run';

/** Starts a brief and follows it. Flags become a part of its frozen plan. */
export async function execute(invocation: Invocation): Promise<number> {
  return await startAndFollow(invocation, { requires: requireBrief, brief: briefStart(invocation) });
}
