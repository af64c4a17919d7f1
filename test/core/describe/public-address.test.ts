/** Which addresses are public: ranges at their edges, every way to write one, IPv4 inside IPv6. */
import { type AddressKind, addressKind } from "@touchstone/core/domain/describe/public-address";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each<[string, AddressKind]>([
  ["1.1.1.1", "public"],
  ["8.8.8.8", "public"],
  ["9.255.255.255", "public"],
  ["10.0.0.0", "private"],
  ["10.255.255.255", "private"],
  ["11.0.0.0", "public"],
  ["100.63.255.255", "public"],
  ["100.64.0.0", "private"],
  ["100.127.255.255", "private"],
  ["100.128.0.0", "public"],
  ["100.100.100.200", "metadata"],
  ["126.255.255.255", "public"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.255", "loopback"],
  ["128.0.0.0", "public"],
  ["0.0.0.0", "loopback"],
  ["169.253.255.255", "public"],
  ["169.254.0.1", "link-local"],
  ["169.254.169.254", "metadata"],
  ["169.254.170.2", "metadata"],
  ["172.15.255.255", "public"],
  ["172.16.0.0", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.0", "public"],
  ["192.167.255.255", "public"],
  ["192.168.255.255", "private"],
  ["192.169.0.0", "public"],
  ["192.0.2.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["198.20.0.0", "public"],
  ["223.255.255.255", "public"],
  ["224.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["168.63.129.16", "metadata"],
  ["2606:4700:4700::1111", "public"],
  ["2001:4860:4860::8888", "public"],
  ["2001:200::", "public"],
  ["::", "loopback"],
  ["::1", "loopback"],
  ["0:0:0:0:0:0:0:1", "loopback"],
  ["::2", "reserved"],
  ["::127.0.0.1", "reserved"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["0:0:0:0:0:ffff:a9fe:a9fe", "metadata"],
  ["::ffff:8.8.8.8", "public"],
  ["::ffff:0:10.0.0.1", "private"],
  ["64:ff9b::10.0.0.1", "private"],
  ["64:ff9b::808:808", "public"],
  ["64:ff9b:1::808:808", "reserved"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["febf::1", "link-local"],
  ["fec0::1", "private"],
  ["fc00::1", "private"],
  ["fdff::1", "private"],
  ["fd00:ec2::254", "metadata"],
  ["ff02::1", "reserved"],
  ["2001::1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["2002:7f00:1::", "reserved"],
  ["3fff::1", "reserved"],
  ["3fff:1000::1", "public"],
  ["4000::1", "reserved"],
  ["", "not-an-address"],
  ["localhost", "not-an-address"],
  ["127.1", "not-an-address"],
  ["0177.0.0.1", "not-an-address"],
  ["2130706433", "not-an-address"],
  ["1.2.3.256", "not-an-address"],
  ["1:2:3:4:5:6:7", "not-an-address"],
  ["1:2:3:4:5:6:7:8:9", "not-an-address"],
  ["1::2::3", "not-an-address"],
  ["1:2:3:4:5:6:7:8::", "not-an-address"],
  ["12345::", "not-an-address"],
  ["::ffff:1.2.3", "not-an-address"],
])("%s is %s", (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

test("a mapped address is what the IPv4 address is, in either spelling", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
      expect(addressKind(`::ffff:${address}`)).toBe(addressKind(address));
      expect(addressKind(`::ffff:${hex}`)).toBe(addressKind(address));
    }),
  );
});

test("every IPv6 address is one, however shortened", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(addressKind(address)).not.toBe("not-an-address");
    }),
  );
});
