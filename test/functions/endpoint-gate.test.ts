/** The gate of an endpoint: places, breaker, probes, blame; and how little of it touches the database. */
import { describe, expect, test } from "vitest";
import { throughGate } from "../../functions/_pressure/endpoint-gate.ts";
import { errors, gateWorld } from "./gate-fixture.ts";

const later = Number.POSITIVE_INFINITY;
/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("without pressure", () => {
  test("25 samples of an invocation cost one read and no write", async () => {
    const world = gateWorld();
    const gate = world.instance();
    await Promise.all(Array.from({ length: 25 }, (_, index) => world.call(gate, `s-${index}`)));
    expect([world.store.reads(), world.store.writes()]).toEqual([1, 0]);
  });

  test("an hour of answers costs a read every two seconds at most, and no write", async () => {
    const world = gateWorld();
    const gate = world.instance();
    for (let turn = 0; turn < 3_600; turn += 1) {
      await world.call(gate, `s-${turn}`);
      world.state.now += 1_000;
    }
    expect(world.store.reads()).toBeLessThanOrEqual(1_800);
    expect(world.store.writes()).toBe(0);
  });

  test("failures among answers are no pressure: nothing is written", async () => {
    const world = gateWorld();
    const gate = world.instance();
    for (let turn = 0; turn < 100; turn += 1) {
      await world.call(gate, `good-${turn}`);
      await world.call(gate, `bad-${turn}`, world.failing(errors.unavailable));
      world.state.now += 500;
    }
    expect(world.store.writes()).toBe(0);
  });
});

describe("places", () => {
  /** Calls that stay in flight until they are told how to end. */
  const hanging = (most: number) => {
    const world = gateWorld(most);
    const gate = world.instance();
    const calls: { readonly who: string; readonly end: PromiseWithResolvers<string> }[] = [];
    const ends: string[] = [];
    const begin = (who: string, latest = later): void => {
      const end = Promise.withResolvers<string>();
      const make = () => {
        calls.push({ who, end });
        return end.promise;
      };
      void throughGate(gate, who, latest, make).then(
        (answer) => ends.push(`${who}: ${answer}`),
        (error: { code: string }) => ends.push(`${who}: ${error.code}`),
      );
    };
    return { world, gate, calls, ends, begin };
  };

  test("no more calls than places; who waits comes in order", async () => {
    const { calls, begin } = hanging(2);
    for (const who of ["a", "b", "c", "d"]) begin(who);
    await settle();
    expect(calls.map(({ who }) => who)).toEqual(["a", "b"]);
    calls[0]?.end.resolve("ok");
    await settle();
    expect(calls.map(({ who }) => who)).toEqual(["a", "b", "c"]);
  });

  test("after throttling, half of the places, one by one more with answers", async () => {
    const { calls, begin } = hanging(8);
    for (let index = 0; index < 8; index += 1) begin(`s-${index}`);
    await settle();
    expect(calls).toHaveLength(8);
    for (const { end } of calls) end.reject(errors.throttled());
    await settle();
    for (let index = 0; index < 30; index += 1) begin(`t-${index}`);
    await settle();
    expect(calls).toHaveLength(8 + 4);
    for (let done = 8; done < 12; done += 1) calls[done]?.end.resolve("ok");
    await settle();
    // Four answers freed four places and earned most of another.
    expect(calls.length).toBeGreaterThanOrEqual(16);
    expect(calls.length).toBeLessThanOrEqual(17);
  });

  test("whoever is still waiting when time is up is told so", async () => {
    const { world, calls, ends, begin } = hanging(1);
    begin("a");
    begin("b", world.state.now + 1_000);
    await settle();
    world.state.now += 1_001;
    calls[0]?.end.resolve("ok");
    await settle();
    expect(ends.sort()).toEqual(["a: ok", "b: held"]);
    expect(calls).toHaveLength(1);
  });

  test("nobody begins who would not be answered in time", async () => {
    const { world, calls, ends, begin } = hanging(1);
    begin("a", world.state.now - 1);
    await settle();
    expect([ends, calls]).toEqual([["a: held"], []]);
  });

  test("a place is free again however the work ends", async () => {
    const world = gateWorld(1);
    const gate = world.instance();
    for (const error of [errors.unavailable, errors.refused, () => new Error("x")])
      await throughGate(gate, "s", later, world.failing(error)).catch(() => undefined);
    expect(await world.call(gate, "next")).toBe("answer");
  });

  test("retry-after is kept by the instance that was told", async () => {
    const world = gateWorld();
    const gate = world.instance();
    await world.call(
      gate,
      "a",
      world.failing(() => errors.throttled(30)),
    );
    expect(await gate.admit("b", later)).toMatchObject({ kind: "held", seconds: 30 });
    world.state.now += 30_000;
    expect(await world.call(gate, "b")).toBe("answer");
  });
});

describe("the breaker", () => {
  test.each([
    ["throttling", errors.throttled],
    ["a server that lets nobody in", errors.unusable],
    ["a server that fails for everybody", errors.unavailable],
  ])("opens for all workers: %s", async (_, error) => {
    const world = gateWorld();
    const [first, second] = [world.instance(), world.instance()];
    expect(await world.call(second, "s")).toBe("answer");
    await world.open(first, error);
    expect(await world.call(first, "s")).toBe("held");
    world.state.now += 2_000;
    let called = 0;
    const make = async () => {
      called += 1;
    };
    expect(await world.call(second, "s", make)).toBe("held");
    expect(called).toBe(0);
  });

  test("one sample that always fails, with nobody else about, does not open it", async () => {
    const world = gateWorld();
    const gate = world.instance();
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await world.call(gate, "poison", world.failing(errors.unavailable))).toBe("unavailable");
      world.state.now += 5_000;
    }
    expect(world.store.writes()).toBe(1);
  });

  test("samples that are refused do not open it", async () => {
    const world = gateWorld();
    const gate = world.instance();
    await world.open(gate, errors.refused);
    expect(await world.call(gate, "s")).toBe("answer");
    expect(world.store.writes()).toBe(0);
  });

  test("a failure that finds it open, or opens it, is not the sample's", async () => {
    const world = gateWorld();
    const gate = world.instance();
    const ends: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ends.push(await world.call(gate, `s-${index}`, world.failing(errors.unavailable)));
      world.state.now += 600;
    }
    expect(ends).toEqual([...Array.from({ length: 4 }, () => "unavailable"), "held"]);
  });

  test("a storm of 20 instances with 25 calls each writes no more than once per instance and change", async () => {
    const world = gateWorld();
    const instances = Array.from({ length: 20 }, () => world.instance());
    for (let second = 0; second < 6; second += 1) {
      await Promise.all(
        instances.flatMap((gate, at) =>
          Array.from({ length: 25 }, (_, index) =>
            world.call(gate, `s-${second}-${at}-${index}`, world.failing(errors.throttled)),
          ),
        ),
      );
      world.state.now += 500;
    }
    expect((await world.store.read("judge")).state).toBe("open");
    // Six changes, and the attempts of those who came second.
    expect(world.store.writes()).toBeLessThanOrEqual(6 * 20);
    const before = world.store.writes();
    for (const gate of instances) await world.call(gate, "s", world.failing(errors.throttled));
    expect(world.store.writes()).toBe(before);
  });
});

describe("half-open", () => {
  const halfOpen = async () => {
    const world = gateWorld();
    const instances = Array.from({ length: 10 }, () => world.instance());
    const [gate] = instances;
    if (!gate) throw new Error("there are ten");
    await world.open(gate);
    world.state.now += 10_000;
    return { world, instances, gate };
  };

  test("exactly one probe, whoever asks", async () => {
    const { world, instances } = await halfOpen();
    const end = Promise.withResolvers<string>();
    let called = 0;
    const make = () => {
      called += 1;
      return end.promise;
    };
    const calls = instances.flatMap((gate) => [world.call(gate, "a", make), world.call(gate, "b", make)]);
    await settle();
    expect(called).toBe(1);
    end.resolve("answer");
    expect((await Promise.all(calls)).filter((outcome) => outcome === "held")).toHaveLength(19);
  });

  test("an answer closes it, and calls begin again one at a time", async () => {
    const { world, instances, gate } = await halfOpen();
    expect(await world.call(gate, "probe")).toBe("answer");
    expect((await world.store.read("judge")).state).toBe("closed");
    world.state.now += 2_000;
    const other = instances[1];
    if (!other) throw new Error("there are ten");
    // It saw the breaker open before.
    expect(await world.call(other, "s")).toBe("answer");
  });

  test("a failure keeps it open for twice the time, and costs the sample nothing", async () => {
    const { world, gate } = await halfOpen();
    expect(await world.call(gate, "probe", world.failing(errors.unavailable))).toBe("held");
    world.state.now += 19_000;
    expect(await world.call(gate, "s")).toBe("held");
    world.state.now += 1_000;
    expect(await world.call(gate, "s")).toBe("answer");
  });

  test("a probe that turned out not to need a call is free for the next", async () => {
    const { world, instances, gate } = await halfOpen();
    const admission = await gate.admit("already recorded", later);
    if (admission.kind !== "admitted") throw new Error("not admitted");
    await admission.pass.leave();
    expect(await world.call(instances[1] ?? gate, "s")).toBe("answer");
  });

  test("a worker that dies in its probe blocks the others no longer than a function runs", async () => {
    const { world, instances, gate } = await halfOpen();
    await gate.admit("dies", later);
    expect(await world.call(instances[1] ?? gate, "s")).toBe("held");
    world.state.now += 151_000;
    expect(await world.call(instances[1] ?? gate, "s")).toBe("answer");
  });
});

test("a database that fails costs neither the answer nor the place", async () => {
  const world = gateWorld(1);
  const gate = world.instance();
  await world.call(gate, "a", world.failing(errors.unavailable));
  world.store.write = async () => {
    throw new Error("no table");
  };
  expect(await world.call(gate, "b")).toBe("answer");
  world.state.now += 2_001;
  expect(await world.call(gate, "c", world.failing(errors.throttled))).toBe("throttled");
  expect(world.complaints).toHaveLength(2);
});
