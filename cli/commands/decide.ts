import { readStatus } from '../../client/read-run';
import type { GateForm, GateView } from '../../plan/people/gate';
import type { SignalPayload } from '../../plan/run/signal';
import { joined } from '../../plan/text/joined';
import { jsonText } from '../../plan/text/json-text';
import { shellWord } from '../../plan/text/shell-word';
import { type Spelled, setSpelled } from '../../plan/text/spelled-json';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { askValue } from '../following/ask-value';
import { jsonOrText, parseJson } from '../pipelines/run-args';
import { renderGate } from '../rendering/gate';
import { lastIdOf } from '../rendering/step-tree';
import { readForm, readResponse, sampleResponse } from '../response';
import { sealedOrder } from '../seal-order';
import { orderedBy, sendOrder } from '../session/send-order';
import type { Session } from '../session/session';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';

/** Decisions of people at gates. */
export function approve(invocation: Invocation): Promise<number> {
  return sendOrder(invocation, { name: 'approve', payload: sealedOrder(invocation, 'approve', decision(invocation), gateAt), moves: true });
}

export function reject(invocation: Invocation): Promise<number> {
  return sendOrder(invocation, { name: 'reject', payload: sealedOrder(invocation, 'reject', decision(invocation), gateAt), moves: true });
}

/** Hands one's place at a gate to somebody else. */
export function delegate(invocation: Invocation): Promise<number> {
  const to = invocation.options.text('to');
  if (to === undefined || to.trim() === '') throw usage('delegate needs --to', 'e.g. --to cfo');
  const payload = joined<SignalPayload>(decision(invocation), { to });
  return sendOrder(invocation, { name: 'delegate', payload: sealedOrder(invocation, 'delegate', payload, gateAt), moves: false });
}

/** Picks one of a gate's choices, or gives an input gate its answer, which is checked against its schema before it is sent. */
export function respond(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const text = options.text('response');
  if (text === undefined && (!terminal.interactive || options.flag('json')))
    throw usage('respond needs --response', 'e.g. --response revise');
  const given = decision(invocation);
  const payload = async ({ client, configuration }: Session, run: string): Promise<SignalPayload> => {
    const { gates } = await readStatus(client, run);
    const gate = gateAt(gates, args[1]);
    const form = gate === undefined ? undefined : await readForm(recordsOf(configuration).artifacts, gate);
    const response = await responseFor(gate, form, text, terminal);
    return joined(given, { step: gate?.step, response });
  };
  return sendOrder(invocation, { name: 'respond', moves: true, payload: sealedOrder(invocation, 'respond', payload, gateAt) });
}

/** The gate that is meant; undefined if the run itself must report what is wrong with it. */
export function gateAt(gates: readonly GateView[], given: string | undefined): GateView | undefined {
  if (given === undefined) return gates.length === 1 ? gates[0] : undefined;
  const exact = gates.find((gate) => gate.step === given);
  if (exact !== undefined) return exact;
  const [only, second] = gates.filter((gate) => lastIdOf(gate.step) === given);
  return second === undefined ? only : undefined;
}

async function responseFor(
  gate: GateView | undefined,
  form: GateForm | undefined,
  text: string | undefined,
  terminal: Terminal,
): Promise<Spelled> {
  if (text === undefined) return askedFor(gate, form, terminal);
  // A choice may read as a number: `2.0`.
  if (gate?.kind !== 'input') return gate?.choices.includes(text) ? text : jsonOrText(text);
  const read = readResponse(text, form?.responseSchema);
  if ('value' in read) return read.value;
  throw new CommandFailure(EXIT.usage, 'response.invalid', `the response does not match the schema of ${gate.step}; nothing was sent`, {
    details: { problems: read.problems, schema: form?.responseSchema ?? null },
    hint: `e.g. --response ${shellWord(jsonText(sampleResponse(form)))}`,
  });
}

async function askedFor(gate: GateView | undefined, form: GateForm | undefined, terminal: Terminal): Promise<Spelled> {
  if (gate?.kind !== 'input') throw usage('respond needs --response', gate && `one of: ${gate.choices.join(', ')}`);
  terminal.out(renderGate(gate, terminal.colors, () => [], form));
  const answer = await askValue(form, terminal, terminal.interrupted);
  if (answer === undefined) throw usage('no response was given; nothing was sent');
  return answer.response;
}

function decision(invocation: Invocation): SignalPayload {
  const { args, options } = invocation;
  const payload: SignalPayload = orderedBy(invocation, configurationOf(invocation).user.value);
  const [step, comment, value, shown] = [args[1], options.text('comment'), options.text('value'), options.text('shown')];
  if (step !== undefined) payload.step = step;
  if (comment !== undefined) payload.comment = comment;
  if (shown !== undefined) payload.shown = digestOf(shown);
  if (value !== undefined) setSpelled(payload, 'value', parseJson(value, '--value'));
  return payload;
}

/** The digest of what was shown, as `--shown` names it. */
export function digestOf(shown: string): string {
  if (/^[0-9a-f]{8,64}$/i.test(shown)) return shown.toLowerCase();
  throw usage('--shown takes at least the first 8 digits of the digest', 'thermidor inbox --json has it as shownSha256');
}
