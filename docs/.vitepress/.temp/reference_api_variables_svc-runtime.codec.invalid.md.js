import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: invalid","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.invalid.md","filePath":"reference/api/variables/svc-runtime.codec.invalid.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.invalid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-invalid" tabindex="-1">Variable: invalid <a class="header-anchor" href="#variable-invalid" aria-label="Permalink to &quot;Variable: invalid&quot;">​</a></h1><blockquote><p><code>const</code> <strong>invalid</strong>: <code>never</code></p></blockquote><p>What a decoder returns along with a fault; it is never read.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.invalid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_invalid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_invalid as default
};
