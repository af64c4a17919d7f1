/** Stands in for ffmpeg's WebAssembly build in ffmpeg-video-reader.test.ts: a "file" is a JSON text of what is in it. */
module.exports = async () => {
  const files = new Map();
  const film = () => JSON.parse(Buffer.from(files.get("input")).toString());
  const argument = (args, name) => args[args.indexOf(name) + 1];
  return {
    FS: {
      writeFile: (name, bytes) => files.set(name.slice(1), bytes),
      readFile: (name) => files.get(name.slice(1)),
      readdir: () => [".", "..", ...files.keys()],
    },
    setLogger() {},
    ffprobe(...args) {
      const { streams, duration } = film();
      files.set(
        argument(args, "-o").slice(1),
        Buffer.from(JSON.stringify({ streams, format: { duration } })),
      );
    },
    exec(...args) {
      const { duration, decodable = 1, hangs, breaks, losesStills } = film();
      while (hangs);
      if (breaks || (losesStills && args.includes("png")))
        throw new WebAssembly.RuntimeError("memory access out of bounds");
      const filter = argument(args, "-vf");
      const chosen = [...filter.matchAll(/eq\(n,(\d+)\)/g)].map(([, number]) => number);
      for (const [index, number] of chosen.entries())
        files.set(
          `still-${index + 1}.png`,
          Buffer.from(`still ${number}${args.includes("nokey") ? " of key pictures" : ""}`),
        );
      if (chosen.length > 0) return;
      const count = Math.floor(duration * Number(/fps=([\d.]+)/.exec(filter)[1]) * decodable);
      const signatures = Array.from({ length: count }, (_, index) => Buffer.alloc(16 * 9 * 3, index % 256));
      files.set("signatures", Buffer.concat(signatures));
    },
  };
};
