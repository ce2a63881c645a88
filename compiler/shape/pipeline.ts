import { defined, unlessEmpty } from '../../plan/defined';
import type { ChannelSpec } from '../../plan/plan';
import { isSecretReference } from '../../plan/run/args';
import type { Located, Report } from '../diagnostics/diagnostic';
import { FILE_ROWS } from '../language/file';
import type { CHANNEL_ROWS } from '../language/mappings/file';
import { isTeamFile, TEAM_FILE_KEYS } from '../language/team-file';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { argSpec } from './args';
import { readRequiresApproval } from './category';
import { readDefaults } from './defaults';
import { checkKeys, headOf } from './keys';
import { FILE_FORMS, FILE_STEPS } from './kinds';
import { memoryOf } from './memory';
import { checkName } from './names';
import { readRows } from './read-rows';
import type { FileRow, PipelineShape } from './source';
import type { SourceOf } from './source-of';
import { stepsReading } from './step';
import { readLevel, type TargetSource } from './target';
import { readTriggers } from './trigger';
import { mappingOf } from './values';
import { FILE_KEYS, FILE_KEYS_LATER } from './vocabulary';
import { withoutPlaces } from './without-places';

const ROWS = FILE_ROWS.filter((row): row is FileRow => !('own' in row));

/** Reads a whole pipeline file. A mistake in one place does not keep the others from being read. */
export function readPipeline(written: MappingNode, report: Report): PipelineShape {
  const root = FILE_FORMS.reduce((file, form) => form(file), written);
  const get = (key: string): Entry | undefined => entryOf(root, key);
  const isTeam = isTeamFile(written.entries.map(({ key }) => key));
  if (isTeam) checkKeys(written, { what: 'a team', known: TEAM_FILE_KEYS }, report);
  else checkKeys(root, { what: 'a pipeline', known: FILE_KEYS, later: FILE_KEYS_LATER, place: 'key of a file' }, report);
  const reading = stepsReading(readDefaults(get('defaults'), report), report);
  const { node: _, args, channels, schemas, steps = [], limits = {}, memory, ...source } = readRows(root, ROWS, 'the pipeline', reading);
  const [trigger, approvals, escalation] = ['trigger', 'requires_approval', 'escalation'].map(get);
  const last = [...(source.finally ?? []), ...FILE_STEPS.flatMap((read) => read(root, steps, report) ?? [])];
  const listed = [...(channels ?? [])];
  return {
    ...source,
    ...{ steps, limits },
    ...defined({
      memory: memoryOf(memory),
      finally: unlessEmpty(last),
      escalation: escalation && readEscalation(escalation, report),
      requiresApproval: approvals && readRequiresApproval(approvals, report),
    }),
    triggers: trigger ? readTriggers(trigger, report) : [],
    args: new Map([...(args ?? [])].map(([name, { value, keyAt }]) => [name, { at: keyAt, spec: value ? argSpec(value, report) : {} }])),
    agents: readAgents(get('agents'), report),
    schemas: new Map([...(schemas ?? [])].map(([name, { value }]) => [name, value])),
    channels: new Map(listed.map(([name, { value }]) => [name, value ? channelSpec(value, report) : {}])),
    channelApprovers: new Map(listed.flatMap(([name, { value }]) => (value?.approvers ? [[name, value.approvers]] : []))),
    at: headOf(root),
  };
}

function readAgents(entry: Entry | undefined, report: Report): Map<string, Entry> {
  const entries = (entry && mappingOf(entry, report, 'a mapping of ids to definitions or paths'))?.entries ?? [];
  for (const { key, keyAt } of entries) checkName({ value: key, at: keyAt }, 'agent', report);
  return new Map(entries.map((item) => [item.key, item]));
}

function readEscalation(entry: Entry, report: Report): Located<TargetSource>[] {
  const items = entry.value.kind === 'sequence' ? entry.value.items : [entry.value];
  if (items.length === 0) report('shape.out-of-range', entry.value.at, '"escalation" is empty', 'name somebody, or remove the key');
  return items.flatMap((value) => {
    const level = readLevel(value, entry, report);
    return level ? [level] : [];
  });
}

/** A channel as the plan has it. Plans are stored, so the key that signs requests may only be referred to. */
function channelSpec({ webhookSecret: key, ...source }: SourceOf<typeof CHANNEL_ROWS>, report: Report): ChannelSpec {
  const hint = 'write a reference such as secret://env/NAME or secret://file/PATH';
  if (key && !isSecretReference(key.value)) report('shape.wrong-type', key.at, '"webhook_secret" must be a reference to the key', hint);
  return { ...withoutPlaces(source), ...defined({ webhookSecret: key?.value }) };
}
