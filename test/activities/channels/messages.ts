import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { AskedGate, ChannelMessage } from '../../../activities/channel-port';
import { answerCommands, noticeText } from '../../../activities/gates/notice-text';
import { defined } from '../../../plan/defined';
import type { GateNotice, NoticeKind } from '../../../plan/people/notice';
import type { ChannelSpec } from '../../../plan/plan';

/** Messages as `notify` makes them, for adapters to deliver. */

export const RUN = 'daily_quant-20261121-7f3k2a';
export const GATE_KEY = 'Zk9-aaaaBBBBccccDDDDeeeeFFFF_1234';
export const never = new AbortController().signal;
export const secrets = new LocalSecrets({ HOOK_SECRET: 'shared secret', PASSWORDLESS: 'smtp://127.0.0.1:1' });

export interface Asked {
  body?: string;
  kind?: NoticeKind;
  gate?: Partial<GateNotice> & { url?: string; key?: string };
}

export function messageTo(spec: ChannelSpec, { body = 'Buy 2 BTC?', kind = 'message', gate }: Asked = {}): ChannelMessage {
  const asked = gate && askedGate(body, gate);
  const { mention } = spec;
  const notice = { kind, run: RUN, message: body, ...defined({ mention }) };
  return {
    idempotencyKey: `${RUN}/first-run/approve#1~1/notify-3`,
    run: RUN,
    channel: '#approvals',
    kind,
    spec,
    ...noticeText({ ...notice, ...(asked ? { step: asked.step, gate: asked } : {}) }),
    ...(asked ? { gate: asked } : {}),
  };
}

/** A message that asks for an approval. */
export function question(spec: ChannelSpec, asked: Asked = {}): ChannelMessage {
  return messageTo(spec, { kind: 'gate', gate: {}, ...asked });
}

function askedGate(body: string, gate: NonNullable<Asked['gate']>): AskedGate {
  const notice = {
    step: 'approve',
    kind: 'approval' as const,
    question: body,
    choices: ['approve', 'reject'],
    shownSha256: 'ab'.repeat(32),
    answer: `temporal workflow signal -w ${RUN} --name approve --input '{"step":"approve","by":"YOU"}'`,
    key: GATE_KEY,
    url: `https://decide.example.org/g/${GATE_KEY}`,
    ...gate,
  };
  return { ...notice, commands: answerCommands(RUN, notice) };
}
