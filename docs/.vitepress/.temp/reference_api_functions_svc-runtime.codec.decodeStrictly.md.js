import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: decodeStrictly()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.codec.decodeStrictly.md","filePath":"reference/api/functions/svc-runtime.codec.decodeStrictly.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.codec.decodeStrictly.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-decodestrictly" tabindex="-1">Function: decodeStrictly() <a class="header-anchor" href="#function-decodestrictly" aria-label="Permalink to &quot;Function: decodeStrictly()&quot;">​</a></h1><blockquote><p><strong>decodeStrictly</strong>&lt;<code>T</code>&gt;(<code>decode</code>, <code>body</code>, <code>writtenAt?</code>): <code>T</code></p></blockquote><p>Decodes a whole body and rejects properties that its types do not declare.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="decodestrictlyt"></a> <code>T</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>decode</code></td><td><a href="./../types/svc-runtime.codec.Decode"><code>Decode</code></a>&lt;<code>T</code>&gt;</td></tr><tr><td><code>body</code></td><td><code>unknown</code></td></tr><tr><td><code>writtenAt?</code></td><td><a href="./../types/svc-runtime.codec.WrittenAt"><code>WrittenAt</code></a></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>T</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.codec.decodeStrictly.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_decodeStrictly = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_decodeStrictly as default
};
