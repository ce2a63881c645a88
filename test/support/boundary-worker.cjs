// A worker process that kills itself by SIGKILL once each of the given runs is at its given boundary of an activity, and no other work is
// in progress, because a request in flight may be made again. `before`: the server has handed the activity out and nothing is done yet;
// `after`: everything is done and in the ledger, and the server does not know. A run that has reached its boundary does not continue in
// this process. Started with a spec as JSON; says `{started: queue}` for each queue that it polls, and takes `{queue}` for one more.
const { join } = require('node:path');
const { Context } = require('@temporalio/activity');

const { dist, boundaries = {}, log, queue, ...options } = JSON.parse(process.argv[2]);
const { appendFileSync } = require('node:fs');
const factory = require(join(dist, 'activities', 'create-activities.js'));
const { createActivities } = factory;
factory.createActivities = (...given) => wrapped(createActivities(...given));
const { startWorker } = require(join(dist, 'worker', 'worker.js'));

function wrapped(activities) {
  const wrap = ([name, work]) => [
    name,
    async (input) => {
      const { activityId, isLocal, workflowExecution } = Context.current().info;
      // Local activities do not have our ids. A run calls each local activity at most once.
      const call = isLocal ? name : `${name} ${activityId}`;
      await pass(`before ${call}`, workflowExecution.workflowId);
      working += 1;
      const result = await work(input).finally(() => {
        working -= 1;
        dieIfDue();
      });
      await pass(`after ${call}`, workflowExecution.workflowId);
      return result;
    },
  ];
  return Object.fromEntries(Object.entries(activities).map(wrap));
}

const arrived = new Set();
let working = 0;

async function pass(here, run) {
  if (log !== undefined) appendFileSync(log, `${here}\n`);
  if (boundaries[run] !== here) return;
  arrived.add(run);
  dieIfDue();
  await new Promise(() => undefined);
}

function dieIfDue() {
  const due = Object.keys(boundaries).length;
  if (due > 0 && arrived.size === due && working === 0) process.kill(process.pid, 'SIGKILL');
}

async function poll(taskQueue) {
  await startWorker({ ...options, taskQueue, identity: `${process.pid}@${taskQueue}`, log: () => undefined });
  process.send({ started: taskQueue });
}

process.on('message', ({ queue: another }) => poll(another));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
if (queue !== undefined) poll(queue);
