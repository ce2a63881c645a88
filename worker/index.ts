/**
 * The entry point for an application with workers of its own: it starts one, with adapters and tools of the application (docs/adapters.md).
 * An adapter's acceptance test is `test/contract`.
 */

export { modelAdapter } from '../activities/adapters/model/model-adapter';
export { requireTurn } from '../activities/adapters/model/reply-budget';
export {
  BrokenReply,
  type CountRequest,
  type ModelReply,
  type ModelRequest,
  type ModelService,
} from '../activities/adapters/model/service';
export type { AgentAdapter, AgentRequest, AgentTools, ReplyBound } from '../activities/agent-port';
export { answer, refused, type Tool, type ToolAnswer, type ToolUse } from '../activities/tools/tool';
export type { ToolCall, ToolResult, ToolSpec } from '../plan/agents/tool';
export type { Usage } from '../plan/budgets/usage';
export { FAILURES, type FailureCode, ThermidorFailure } from '../plan/run/failure';
export { field, isJsonObject, type Json, type JsonObject } from '../plan/text/json';
export { isReply, openCalls, type Turn, type TurnStop, turnsOfRequest } from '../records/transcripts/turn';
export { type RoleDefinition, registerRole } from './registered-roles';
export type { RunningWorker } from './running-worker';
export { startWorker, type WorkerOptions } from './worker';
