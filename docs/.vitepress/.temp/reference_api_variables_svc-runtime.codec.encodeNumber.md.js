import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: encodeNumber","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.encodeNumber.md","filePath":"reference/api/variables/svc-runtime.codec.encodeNumber.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.encodeNumber.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-encodenumber" tabindex="-1">Variable: encodeNumber <a class="header-anchor" href="#variable-encodenumber" aria-label="Permalink to &quot;Variable: encodeNumber&quot;">​</a></h1><blockquote><p><code>const</code> <strong>encodeNumber</strong>: <a href="./../types/svc-runtime.codec.Encode"><code>Encode</code></a>&lt;<code>number</code>&gt;</p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.encodeNumber.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_encodeNumber = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_encodeNumber as default
};
