import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Our own codecs","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/own-codecs.md","filePath":"decisions/own-codecs.md"}');
const _sfc_main = { name: "decisions/own-codecs.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="our-own-codecs" tabindex="-1">Our own codecs <a class="header-anchor" href="#our-own-codecs" aria-label="Permalink to &quot;Our own codecs&quot;">​</a></h1><p>Commands are plain classes. The generator reads their types and writes a decoder and an encoder for each, as TypeScript.</p><table tabindex="0"><thead><tr><th></th><th>own</th><th>the others</th></tr></thead><tbody><tr><td>decode a command (checks <em>and</em> builds a new object)</td><td>0.7 µs</td><td>ajv 0.5 (check only), zod 3.0, valibot 3.9</td></tr><tr><td>start until first validation, 500 commands</td><td>110 ms</td><td>ajv compiled at start 2,594, zod 355</td></tr><tr><td>code generation from strings at run time</td><td>none</td><td>ajv, fast-json-stringify</td></tr><tr><td>encode a result</td><td>0.3 µs</td><td><code>JSON.stringify</code> 0.9, fast-json-stringify 0.8</td></tr></tbody></table><p><strong>Chosen</strong> because a decoder that builds a fresh object makes mass assignment and prototype pollution impossible; because a type is declared once, as a class, and not a second time as a schema; because messages can name the field, the rule and what was found; because <code>Decimal</code> keeps its digits, which <code>JSON.parse</code> does not; and because everything runs under <code>--disallow-code-generation-from-strings</code>. Speed alone would not have been a reason: parsing the body costs five times as much.</p><p>JSON Schema is written for OpenAPI only. In the tests ajv is the oracle: random values must be accepted and refused alike.</p><p>Two traps that settled it: <code>z.uuid()</code> refuses the id of our own system stream; of two schema generators from types, one lists a field with a default as required, and the other turns a map of nullable values into a schema that refuses everything.</p><p><strong>Price:</strong> the extractor is ours, and it needs a compiler API that TypeScript 7 does not have yet, so it brings TypeScript 6 along as a development dependency behind one file.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/own-codecs.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ownCodecs = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ownCodecs as default
};
