import { workerData } from 'node:worker_threads';
import { useCodeCache } from './code-cache';

/** What a thread loads, its process loads too, and keeps: the thread is ended from outside and could not. */
const { entry, places } = workerData;
useCodeCache({ places, keep: false });
require(entry);
