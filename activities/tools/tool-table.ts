import type { BuiltInToolName } from '../../plan/agents/tool-names';
import { ANSWER_REQUEST } from './board/answer-request';
import { BROADCAST } from './board/broadcast';
import { CLAIM_TASK } from './board/claim-task';
import { COMPLETE_TASK } from './board/complete-task';
import { CREATE_TASK } from './board/create-task';
import { FAIL_TASK } from './board/fail-task';
import { IDLE } from './board/idle';
import { LIST_TASKS } from './board/list-tasks';
import { READ_INBOX } from './board/read-inbox';
import { REQUEST_SHUTDOWN } from './board/request-shutdown';
import { SEND_MESSAGE } from './board/send-message';
import { SPAWN_TEAMMATE } from './board/spawn-teammate';
import { SUBMIT_PLAN } from './board/submit-plan';
import { CONSULT } from './consult';
import { EMIT_ITEM } from './emit-item';
import { ESCALATE } from './escalate';
import { EDIT_FILE } from './files/edit-file';
import { GREP } from './files/grep';
import { LIST_FILES } from './files/list-files';
import { READ_FILE } from './files/read-file';
import { WRITE_FILE } from './files/write-file';
import { LOAD_SKILL } from './load-skill';
import { NOTIFY } from './notify';
import { PIPELINES_START } from './pipelines-start';
import { READ_ARTIFACT } from './read-artifact';
import { RUN } from './run-command';
import { SESSIONS_HISTORY } from './sessions/sessions-history';
import { SESSIONS_LIST } from './sessions/sessions-list';
import { SESSIONS_SEND } from './sessions/sessions-send';
import { SESSIONS_SPAWN } from './sessions/sessions-spawn';
import { SUBAGENTS } from './sessions/subagents';
import type { Tool } from './tool';
import { FETCH_URL } from './web/fetch-url';

/** The tools that every worker has. A toolbox may bring more. */
export const TOOLS: Readonly<Record<BuiltInToolName, Tool>> = {
  sessions_spawn: SESSIONS_SPAWN,
  sessions_send: SESSIONS_SEND,
  sessions_list: SESSIONS_LIST,
  sessions_history: SESSIONS_HISTORY,
  subagents: SUBAGENTS,
  pipelines_start: PIPELINES_START,
  emit_item: EMIT_ITEM,
  consult: CONSULT,
  idle: IDLE,
  claim_task: CLAIM_TASK,
  create_task: CREATE_TASK,
  complete_task: COMPLETE_TASK,
  fail_task: FAIL_TASK,
  list_tasks: LIST_TASKS,
  read_inbox: READ_INBOX,
  send_message: SEND_MESSAGE,
  broadcast: BROADCAST,
  spawn_teammate: SPAWN_TEAMMATE,
  request_shutdown: REQUEST_SHUTDOWN,
  answer_request: ANSWER_REQUEST,
  submit_plan: SUBMIT_PLAN,
  escalate: ESCALATE,
  notify: NOTIFY,
  read_artifact: READ_ARTIFACT,
  load_skill: LOAD_SKILL,
  read_file: READ_FILE,
  write_file: WRITE_FILE,
  edit_file: EDIT_FILE,
  list_files: LIST_FILES,
  grep: GREP,
  run: RUN,
  fetch_url: FETCH_URL,
};
