import { mustApprove } from '../../plan/quorum';
import { unreachable } from '../../plan/unreachable';
import type { DryGate, DryPlace, DryRunBy, DryWork } from '../dry-run/model';
import { describeActions } from './action';
import { word } from './answer';
import { describeJoin } from './plan-step';
import { oneLine } from './printable';
import { duration } from './time';

/** What a step would do, on one line. */
export function whatItDoes(work: DryWork): string {
  switch (work.kind) {
    case 'agent':
    case 'review': {
      const who = `${work.agent} ${howRun(work)}`;
      const doing = work.kind === 'agent' ? `agent ${who}` : `review of ${work.of} by ${who}`;
      const critic =
        work.critic === undefined ? '' : `, second opinion by ${work.critic}${work.criticRunBy ? ` ${howRun(work.criticRunBy)}` : ''}`;
      return `${doing}${critic}${work.ownContext ? ', in its own context' : ''}${into(work)}`;
    }
    case 'command':
      return `${work.shell === undefined ? 'command' : 'shell'}${into(work)}`;
    case 'stages':
      return `pipe${work.asks.length === 0 ? '' : `, in which a person is asked: ${work.asks.join(', ')}`}${into(work)}`;
    case 'approval':
      return `a person decides${where(work)}`;
    case 'input':
      return `a person gives a value${where(work)}`;
    case 'notify':
      return `notify ${work.channel}${work.report === undefined ? '' : `, with the output of ${work.report}`}`;
    case 'wait':
      if (work.signal !== undefined) return `wait for the signal ${work.signal}`;
      return work.until === undefined ? `wait ${duration(work.forMs ?? 0)}` : `wait until ${oneLine(work.until)}`;
    case 'parallel': {
      const join = describeJoin(work.wait);
      return `side by side: ${join}${work.maxConcurrent === undefined ? '' : `, ${work.maxConcurrent} at once`}`;
    }
    case 'group':
      return 'one after the other';
    case 'for_each': {
      const how = work.maxConcurrent === 1 ? 'one after the other' : `${work.maxConcurrent} at once`;
      const pause = work.pauseMs === undefined ? '' : `, a pause of ${duration(work.pauseMs)} after every ${work.batchSize ?? 1}`;
      return `for each ${work.itemVar} of ${work.items}${work.count === undefined ? '' : ` (${work.count})`}, ${how}${pause}`;
    }
    case 'pipeline':
      return `pipeline ${work.pipeline}, as a run of its own`;
    default:
      return unreachable(work);
  }
}

function howRun({ adapter, model, modelAlias }: DryRunBy): string {
  const named = modelAlias === undefined ? '' : ` as "${modelAlias}"`;
  return `(adapter ${adapter}${model === undefined ? '' : `, model ${model}${named}`})`;
}

export interface WorkDetail {
  name: string;
  text: string;
}

/** The texts that it works with, in the order in which they are read. */
export function workDetails(work: DryWork): WorkDetail[] {
  switch (work.kind) {
    case 'agent':
    case 'review':
      return [
        ...detail('on revise', work.onRevise && `retry ${work.onRevise.step}, at most ${work.onRevise.max}`),
        ...detail('on block', work.onBlock && describeActions(work.onBlock)),
        ...detail('tools', work.tools && (work.tools.join(', ') || 'none')),
        ...detail('cwd', work.cwd),
        ...detail('prompt', work.prompt),
      ];
    case 'command':
      return [...detail('run', work.shell), ...detail('run', work.argv?.map(argvWord).join(' ')), ...placeDetails(work)];
    case 'stages':
      return [...detail('pipe', work.pipe), ...placeDetails(work)];
    case 'approval':
    case 'input':
      return gateDetails(work);
    case 'notify':
      return detail('message', work.message);
    case 'parallel':
      return detail('merge', work.merge && `${work.merge.how} over ${work.merge.key}`);
    case 'pipeline':
      return Object.entries(work.args).map(([name, value]) => ({
        name: `arg ${name}`,
        text: typeof value === 'string' ? value : JSON.stringify(value),
      }));
    case 'wait':
    case 'group':
    case 'for_each':
      return [];
    default:
      return unreachable(work);
  }
}

/** What only the run will know is no text that a shell could misread. */
function argvWord(text: string): string {
  return text.includes('⟨') ? text : word(text);
}

function placeDetails({ cwd, env, stdin }: DryPlace): WorkDetail[] {
  return [
    ...detail('cwd', cwd),
    ...Object.entries(env ?? {}).map(([name, value]) => ({ name: `env ${name}`, text: value })),
    ...detail('stdin', stdin),
  ];
}

function gateDetails(gate: DryGate): WorkDetail[] {
  const { question, show, fourEyes, identity, comment, choices, remindMs, onTimeout, onReject, responseSchema, defaults } = gate;
  return [
    ...detail('asks', question),
    ...detail('shows', show?.join(', ')),
    ...detail('choices', choices?.filter((choice) => choice !== 'respond').join(', ')),
    ...detail('quorum', mustApprove(gate)),
    ...detail('four eyes', fourEyes && 'neither the owner nor who started the run'),
    ...detail('identity', identity && 'must be proven'),
    ...detail('comment', comment && (comment === 'always' ? 'always needed' : 'needed for a no')),
    ...detail('schema', responseSchema === undefined ? undefined : JSON.stringify(responseSchema)),
    ...detail('offers', defaults === undefined ? undefined : JSON.stringify(defaults)),
    ...detail('when time is up', onTimeout),
    ...detail('reminds', remindMs === undefined ? undefined : `every ${duration(remindMs)}`),
    ...detail('on reject', onReject && describeActions(onReject)),
  ];
}

function detail(name: string, text: string | undefined): WorkDetail[] {
  return text === undefined || text === '' ? [] : [{ name, text }];
}

function where({ channel, approvers }: DryGate): string {
  return `${channel === undefined ? '' : ` in ${channel}`}${approvers ? `: ${approvers.join(', ')}` : ''}`;
}

function into({ output }: { output?: string }): string {
  return output === undefined ? '' : ` → ${output}`;
}
