import type { GateForm, GateView } from '../../plan/gate';
import { sampleResponse } from '../response';

/** How a gate can be answered from a shell, with this command line and with Temporal's own. Pure text, ready to paste. */
export interface AnswerLines {
  choice: string;
  thermidor: string;
  temporal: string;
}

export type AnsweredGate = Pick<GateView, 'step' | 'choices'> & { kind?: string; approvers?: readonly string[] };

export interface ServerPlace {
  address: string;
  namespace: string;
  /** It runs only while a command of ours does. */
  embedded?: boolean;
}

/** One for each choice. An input gate has one, with a response to begin with: its defaults, or what its form asks for. */
export function answerLines(run: string, gate: AnsweredGate, onlyGate: boolean, server: ServerPlace, form?: GateForm): AnswerLines[] {
  const by = gate.approvers?.[0] ?? 'YOU';
  return gate.choices.map((choice) => {
    const direct = choice === 'approve' || choice === 'reject';
    const response = gate.kind === 'input' ? sampleResponse(form) : choice;
    const step = onlyGate ? {} : { step: gate.step };
    const payload = direct ? { ...step, by } : { ...step, by, response };
    const at = onlyGate ? '' : ` ${word(gate.step)}`;
    const what = direct ? choice : 'respond';
    const given = direct ? '' : ` --response ${word(typeof response === 'string' ? response : JSON.stringify(response))}`;
    return {
      choice,
      thermidor: `thermidor ${what} ${word(run)}${at}${given} --by ${word(by)}`,
      temporal: `temporal workflow signal -w ${word(run)} --name ${what} --input ${quote(JSON.stringify(payload))} ${serverFlags(server)}`,
    };
  });
}

/** The flags by which Temporal's own command line reaches the same server. */
export function serverFlags({ address, namespace }: ServerPlace): string {
  return `--address ${address}${namespace === 'default' ? '' : ` --namespace ${word(namespace)}`}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As it is where a shell takes it so. */
export function word(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./#[\]-]+$/.test(text) && !text.startsWith('#') && !/[[\]]/.test(text) ? text : quote(text);
}
