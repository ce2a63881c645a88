import type { AgentDefinition, AgentEntry, Skill, StartablePipeline } from '../../../plan/plan';
import type { Blobs } from '../../freeze/blobs';
import type { LoadedAgent } from '../../names/agent-definition';
import type { LoadedSkill } from '../../names/skills';

/** The plan's entry for an agent. Its definition, schema and skills are frozen with the plan: a run keeps those that it began with. */
export function agentEntry(
  { id, definition, schema, skills }: LoadedAgent,
  blobs: Blobs,
  pipelines: StartablePipeline[] | undefined,
): AgentEntry {
  if (!definition) return { definition: blobs.add(null, `${id}.agent.json`) };
  const whole: AgentDefinition = { ...definition };
  if (schema && 'json' in schema) whole.schema = blobs.add(schema.json, `${id}.schema.json`, 'application/schema+json');
  if (skills) whole.skills = skills.map((skill) => frozen(skill, blobs));
  if (pipelines) whole.pipelines = pipelines;
  const entry: AgentEntry = { definition: blobs.add(whole, `${id}.agent.json`) };
  if (definition.adapter !== undefined) entry.adapter = definition.adapter;
  if (definition.reportsTo !== undefined) entry.reportsTo = definition.reportsTo;
  if (definition.timeoutMs !== undefined) entry.timeoutMs = definition.timeoutMs;
  if (definition.categories) entry.gated = true;
  return entry;
}

function frozen({ name, description, files }: LoadedSkill, blobs: Blobs): Skill {
  const digests = [...files].map(([path, text]) => {
    const mediaType = path.endsWith('.md') ? 'text/markdown' : 'text/plain';
    return [path, blobs.addText(text, `${name}/${path}`, mediaType)] as const;
  });
  return { name, description, files: Object.fromEntries(digests) };
}
