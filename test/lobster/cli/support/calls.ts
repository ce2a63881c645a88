import type { Json } from '../../../../plan/text/json';
import type { Program } from '../../../durability/support/program';
import type { Finished } from '../../../durability/support/running';
import { readJson, type Scratch } from '../../../durability/support/scratch';

export interface Answered {
  exit: number | null;
  envelope: Envelope;
  err: string;
}

export interface Envelope {
  protocolVersion: number;
  ok: boolean;
  status?: string;
  output?: Json[];
  requiresApproval?: { prompt: string; resumeToken: string; approvalId: string; items: Json[] } | null;
  requiresInput?: { prompt: string; resumeToken: string; subject?: Json } | null;
  error?: { type: string; message: string };
}

/** Calls the built program as a stranger calls `lobster`. */
export class Calls {
  constructor(private readonly scratch: Scratch) {}

  /** Calls it, and gives what it prints as it is. */
  print(...argv: string[]): Promise<Finished> {
    return this.scratch.ask('lobster', ...argv);
  }

  /** Calls it in a process of its own. */
  lobster(...argv: string[]): Program {
    return this.scratch.thermidor('lobster', ...argv);
  }

  /** Calls it in another folder, with additions to the environment. */
  elsewhere(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Answered> {
    return answered(this.scratch.askIn('home', env, 'lobster', ...argv));
  }

  /** Writes a workflow file, JSON or YAML, and runs it in tool mode. */
  run(file: string, content: string | object, ...more: string[]): Promise<Answered> {
    this.scratch.write(file, typeof content === 'string' ? content : JSON.stringify(content));
    return this.answer('run', '--mode', 'tool', '--file', file, ...more);
  }

  program(text: string): Promise<Answered> {
    return this.answer('run', '--mode', 'tool', text);
  }

  resume(...argv: string[]): Promise<Answered> {
    return this.answer('resume', ...argv);
  }

  private answer(...argv: string[]): Promise<Answered> {
    return answered(this.scratch.ask('lobster', ...argv));
  }
}

async function answered(finished: Promise<Finished>): Promise<Answered> {
  const ended = await finished;
  return { exit: ended.code, envelope: readJson<Envelope>(ended), err: ended.err };
}

export function okay(output: Json[]): Answered {
  return { exit: 0, envelope: ended('ok', output), err: '' };
}

export const CANCELLED: Answered = { exit: 0, envelope: ended('cancelled', []), err: '' };

function ended(status: string, output: Json[]): Envelope {
  return { protocolVersion: 1, ok: true, status, output, requiresApproval: null, requiresInput: null };
}

export function refused(type: string, message: unknown): object {
  return { exit: type === 'parse_error' ? 2 : 1, envelope: { protocolVersion: 1, ok: false, error: { type, message } } };
}

/** The token of an answer that is paused. */
export function tokenOf({ envelope }: Answered): string {
  const token = envelope.requiresApproval?.resumeToken ?? envelope.requiresInput?.resumeToken;
  if (token === undefined) throw new Error(`the run asks for nothing: ${JSON.stringify(envelope)}`);
  return token;
}
