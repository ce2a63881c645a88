import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { SignalReceipt } from '../../../plan/run/signal';
import type { ChildStart, Inbound, RunInfo } from '../../../workflows/run-context';
import { type Activation, type Command, DONE, type Happening, type Outcome } from './commands';
import { createEventQueue } from './event-queue';
import { createPendingWork } from './pending-work';
import type { ActivityCommand, ServerOptions, SimulatedServer } from './ports';
import { createExecution, type Execution, revive, type SimulatedRun } from './simulated-run';

export function createServer(options: ServerOptions): SimulatedServer {
  const { world, watcher } = options;
  const agenda = createEventQueue(options.startMs);
  const { later, schedule, cancelWork } = createPendingWork(agenda, world);
  const runs = new Map<string, SimulatedRun>();
  const closed: Execution[] = [];
  const updates = new Map<number, { resolve(value: SignalReceipt): void; reject(error: unknown): void }>();
  let nextUpdate = 1;
  let activations = 0;
  let crash: 'worker' | 'cache' | undefined;

  function start({ workflowId, workflowType, input }: ChildStart): SimulatedRun {
    const startedAtMs = agenda.now();
    const info: RunInfo = {
      workflowId,
      workflowType,
      runId: `${workflowId}:1`,
      firstRunId: `${workflowId}:1`,
      startedAtMs,
      namespace: 'default',
      searchAttributes: [],
    };
    const run: SimulatedRun = {
      workflowId,
      workflowType,
      startedAtMs,
      execution: createExecution(info, input),
      executions: 1,
      mail: [],
      takesAll: false,
      begun: false,
      whenClosed: [],
    };
    runs.set(workflowId, run);
    return run;
  }

  function life(run: SimulatedRun, execution: Execution) {
    return {
      ...defined({ activitiesPerExecution: options.activitiesPerExecution }),
      watch: (command: Command) => {
        const inbound = execution.life;
        if (inbound?.begun) watcher.command(run, command, inbound.inbound());
      },
      answered: (id: number, answer: { value: unknown } | { error: unknown }) => {
        const caller = updates.get(id);
        updates.delete(id);
        if ('error' in answer) caller?.reject(answer.error);
        else caller?.resolve(answer.value as SignalReceipt);
      },
    };
  }

  async function alive(run: SimulatedRun): Promise<NonNullable<Execution['life']>> {
    const { execution } = run;
    execution.life ??= await revive(execution, life(run, execution));
    return execution.life;
  }

  async function workflowTask(run: SimulatedRun): Promise<void> {
    const { execution } = run;
    const incarnation = await alive(run);
    const taken = takeMail(run);
    const happenings = incarnation.begun ? taken.filter((happening) => passes(incarnation.inbound(), happening)) : taken;
    if (incarnation.begun && happenings.length === 0) return;
    run.begun = true;
    const task: Activation[] = [];
    const locals: ActivityCommand[] = [];
    let next: Happening[] | undefined = happenings;
    while (next) {
      activations += 1;
      crash ??= options.crashes.get(activations);
      const activation: Activation = { now: agenda.now(), happenings: next, commands: [] };
      activation.commands = await incarnation.activate(activation.now, next);
      task.push(activation);
      locals.push(...(activation.commands.filter((command) => command.kind === 'activity' && command.options.local) as ActivityCommand[]));
      if (crash !== undefined && locals.length > 0) return giveUp(run, happenings);
      const local = locals.shift();
      next = local && [{ kind: 'settled', seq: local.seq, outcome: await answerOf(run, local) }];
    }
    const commands = task.flatMap((activation) => activation.commands);
    const closes = commands.some(({ kind }) => kind === 'continue' || kind === 'end');
    // As on a server, a run does not close if it has unread mail.
    if (closes && run.mail.some(({ kind }) => kind !== 'settled')) {
      run.takesAll = true;
      return giveUp(run, happenings);
    }
    execution.log.push(...task);
    watcher.committed(run, incarnation.inbound());
    for (const command of commands) carryOut(run, execution, command);
  }

  function takeMail(run: SimulatedRun): Happening[] {
    const all = run.takesAll || options.together(agenda.now());
    run.takesAll = false;
    const taken = all ? run.mail.splice(0) : run.mail.splice(0, 1);
    return [...taken.filter(({ kind }) => kind !== 'settled'), ...taken.filter(({ kind }) => kind === 'settled')];
  }

  /** An update that would change nothing is refused before it comes into the history. */
  function passes(inbound: Inbound, happening: Happening): boolean {
    if (happening.kind !== 'update') return true;
    try {
      inbound.checkUpdate(happening.name, structuredClone(happening.payload));
      return true;
    } catch (error) {
      updates.get(happening.id)?.reject(error);
      updates.delete(happening.id);
      return false;
    }
  }

  function giveUp(run: SimulatedRun, happenings: readonly Happening[]): void {
    delete run.execution.life;
    run.begun = run.execution.log.length > 0;
    run.mail.unshift(...happenings);
    watcher.rolledBack(run);
  }

  async function answerOf(run: SimulatedRun, { name, input }: ActivityCommand): Promise<Outcome> {
    try {
      return { kind: 'value', json: JSON.stringify((await world.local(run, name, JSON.parse(input))) ?? null) };
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      return { kind: 'failure', code: error.code, message: error.message };
    }
  }

  function carryOut(run: SimulatedRun, execution: Execution, command: Command): void {
    switch (command.kind) {
      case 'activity':
        if (!command.options.local) schedule(run, execution, command);
        return;
      case 'timer':
        later(run, execution, command.seq, command.ms, DONE);
        return;
      case 'cancel':
        cancelWork(run, execution, command.seq);
        return;
      case 'child':
        startChild(run, execution, command);
        return;
      case 'signal': {
        const told = signal(command.workflowId, command.name, JSON.parse(command.payload));
        const lost: Outcome = { kind: 'failure', code: 'child.lost', message: `${command.workflowId} is not running` };
        later(run, execution, command.seq, 0, told ? DONE : lost);
        return;
      }
      case 'cancelChild':
        cancel(command.workflowId);
        return;
      case 'upsert':
        return;
      case 'continue':
        goOn(run, execution, command);
        return;
      case 'end':
        close(execution);
        run.mail = [];
        run.end = command.end;
        for (const told of run.whenClosed.splice(0)) told();
    }
  }

  function goOn(run: SimulatedRun, execution: Execution, { input, memo }: Extract<Command, { kind: 'continue' }>): void {
    close(execution);
    run.executions += 1;
    run.begun = false;
    run.mail = run.mail.filter(({ kind }) => kind !== 'settled');
    const startedAtMs = memo.startedAt === undefined ? agenda.now() : Date.parse(memo.startedAt);
    run.execution = createExecution({ ...execution.info, startedAtMs, runId: `${run.workflowId}:${run.executions}` }, input);
  }

  function close(execution: Execution): void {
    for (const strike of execution.strike.values()) strike();
    closed.push(execution);
    delete execution.life;
  }

  function startChild(run: SimulatedRun, execution: Execution, { seq, closedSeq, child }: Extract<Command, { kind: 'child' }>): void {
    const other = runs.get(child.workflowId);
    if (other && !other.end) {
      later(run, execution, seq, 0, { kind: 'failure', code: 'child.failed', message: `there is a workflow ${child.workflowId} already` });
      return;
    }
    const started = start(child);
    started.whenClosed.push(() => later(run, execution, closedSeq, 0, DONE));
    later(run, execution, seq, 0, { kind: 'value', json: JSON.stringify(started.execution.info.firstRunId) });
  }

  function post(workflowId: string, happening: Happening): boolean {
    const run = runs.get(workflowId);
    if (!run || run.end) return false;
    watcher.told(run, happening);
    run.mail.push(happening);
    return true;
  }

  const signal = (workflowId: string, name: string, payload: unknown): boolean => post(workflowId, { kind: 'signal', name, payload });
  const cancel = (workflowId: string): void => void post(workflowId, { kind: 'cancel' });

  function takeDown(): void {
    const how = crash;
    crash = undefined;
    if (how === undefined) return;
    const live = [...runs.values()].filter((run) => run.execution.life);
    for (const run of how === 'worker' ? live : live.slice(0, 1)) delete run.execution.life;
    watcher.crashed(how);
  }

  return {
    agenda,
    runs,
    get activations() {
      return activations;
    },
    start,
    signal,
    update(workflowId, name, payload) {
      const id = nextUpdate++;
      const answer = new Promise<SignalReceipt>((resolve, reject) => updates.set(id, { resolve, reject }));
      if (!post(workflowId, { kind: 'update', id, name, payload })) updates.get(id)?.reject(new Error('the run is over'));
      return answer;
    },
    cancel,
    ask: async (run) => (await alive(run)).inbound(),
    async work(forMs) {
      const untilMs = agenda.now() + forMs;
      for (;;) {
        const busy = [...runs.values()].find((run) => !run.end && (run.mail.length > 0 || !run.begun));
        if (busy) await workflowTask(busy);
        else if (!agenda.next(untilMs)) return;
        else while (agenda.sameMoment());
        takeDown();
      }
    },
    async replayAll() {
      const open = [...runs.values()].filter((run) => !run.end).map((run) => run.execution);
      const { activitiesPerExecution } = options;
      for (const execution of [...closed, ...open]) {
        await revive(execution, activitiesPerExecution === undefined ? {} : { activitiesPerExecution });
      }
    },
  };
}
