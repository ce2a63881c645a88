import { call, type MessagesReply, say } from '../../support/messages-server/served';
import type { Received } from '../../support/model-server/received';
import type { Scratch } from '../support/scratch';

/** A pipeline of one agent that looks through its folder again and again, and then answers: ten replies. */
export const TURNS = 10;

export function writeLooking(scratch: Scratch): void {
  scratch.write('pipelines/agents/clerk.yaml', 'role: You look through the folder.\ntools: [list_files]\n');
  scratch.write('pipelines/looking.yaml', 'name: looking\nsteps:\n  - id: look\n    agent: clerk\n    output: Found.md\n');
}

/** Nine replies look, the last is the answer. */
export function lookingReply({ turn }: Pick<Received, 'turn'>): MessagesReply {
  return turn < TURNS ? call(['list_files', {}]) : say(`found in ${turn} turns`);
}
