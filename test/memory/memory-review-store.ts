/** The review store port in memory. */
import type { ReviewStore } from "@touchstone/core/ports";
import type { ReviewTask } from "@touchstone/core/schema/review";

export const memoryReviewStore = (): ReviewStore => {
  const tasks = new Map<string, ReviewTask>();
  const unheard = new Set<string>();
  const holder = (id: string, token: string): ReviewTask | null => {
    const task = tasks.get(id);
    return task?.state === "claimed" && task.lease?.token === token ? task : null;
  };
  const claimableAt = (task: ReviewTask, now: number): boolean =>
    task.state === "open" || (task.state === "claimed" && (task.lease?.expiresAt ?? 0) <= now);

  return {
    async open(task) {
      if (tasks.has(task.id)) return false;
      tasks.set(task.id, structuredClone(task));
      return true;
    },
    get: async (id) => structuredClone(tasks.get(id) ?? null),
    claimable: async (filter) =>
      [...tasks.values()]
        .filter((task) => filter.task === undefined || task.task === filter.task)
        .filter((task) => claimableAt(task, filter.now))
        .sort((left, right) => right.priority - left.priority || left.createdAt - right.createdAt)
        .slice(0, filter.limit)
        .map((task) => structuredClone(task)),
    async claim(id, lease, now) {
      const task = tasks.get(id);
      if (!task) return { kind: "missing" };
      if (task.state === "done") return { kind: "done" };
      if (!claimableAt(task, now)) {
        const ours = task.lease?.token === lease.token;
        return ours ? { kind: "claimed", task: structuredClone(task) } : { kind: "busy" };
      }
      const claimed: ReviewTask = { ...task, state: "claimed", lease };
      tasks.set(id, claimed);
      return { kind: "claimed", task: structuredClone(claimed) };
    },
    async extend(id, token, expiresAt, now) {
      const task = holder(id, token);
      if (!task?.lease || task.lease.expiresAt <= now) return false;
      tasks.set(id, { ...task, lease: { ...task.lease, expiresAt } });
      return true;
    },
    async release(id, token) {
      const task = holder(id, token);
      if (!task) return false;
      const { lease: _lease, ...rest } = task;
      tasks.set(id, { ...rest, state: "open" });
      return true;
    },
    async submit(id, token, verdict) {
      if (tasks.get(id)?.state === "done") return "already";
      const task = holder(id, token);
      if (!task) return "lease-lost";
      const { lease: _lease, ...rest } = task;
      tasks.set(id, { ...rest, state: "done", verdict: structuredClone(verdict) });
      unheard.add(id);
      return "accepted";
    },
    async markHeard(id) {
      unheard.delete(id);
    },
    async *unheard() {
      for (const id of unheard) yield { id, givenAt: tasks.get(id)?.verdict?.at ?? 0 };
    },
    async *undecided() {
      const open = [...tasks.values()].filter((task) => task.state !== "done");
      yield* open
        .sort((left, right) => left.createdAt - right.createdAt)
        .map((task) => structuredClone(task));
    },
  };
};
