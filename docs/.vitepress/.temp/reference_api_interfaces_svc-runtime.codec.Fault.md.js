import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Fault","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.codec.Fault.md","filePath":"reference/api/interfaces/svc-runtime.codec.Fault.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.codec.Fault.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-fault" tabindex="-1">Interface: Fault <a class="header-anchor" href="#interface-fault" aria-label="Permalink to &quot;Interface: Fault&quot;">​</a></h1><p>One fault of an input, located by a JSON Pointer.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="message" tabindex="-1">message <a class="header-anchor" href="#message" aria-label="Permalink to &quot;message&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>message</strong>: <code>string</code></p></blockquote><hr><h3 id="path" tabindex="-1">path <a class="header-anchor" href="#path" aria-label="Permalink to &quot;path&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>path</strong>: <code>string</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.codec.Fault.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_Fault = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_Fault as default
};
